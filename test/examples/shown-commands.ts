/** A command of a README, and what it says that the command prints. */
export interface Shown {
  readonly command: string;
  readonly output: string;
}

/** The commands of the README's console blocks, each with the lines up to the next one. */
export function commandsOf(readme: string): readonly Shown[] {
  return [...readme.matchAll(/^```console\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const [command = '', ...lines] = part.split('\n');
        return { command, output: lines.join('\n') };
      }),
  );
}
