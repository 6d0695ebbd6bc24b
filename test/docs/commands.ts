import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CliRun, roomflowHere } from '../cli/run-cli.ts';
import { type Block, projectFolder } from './pages.ts';

/** A command of a page and the output that the page shows for it; null if the page shows none. */
export interface ShownCommand {
  readonly command: string;
  /** Exit code from a comment like `# exit code 2` after the command; 0 by default. */
  readonly code: number;
  readonly output: string | null;
  readonly line: number;
}

/** Returns the commands of a page: those after `$` in `console` blocks, with the lines up to the next one, and each line of `bash`. */
export function commandsOf(blocks: readonly Block[]): readonly ShownCommand[] {
  return blocks.flatMap(({ language, text, line }) => {
    if (language === 'bash') {
      const lines = text.replaceAll(/\\\n\s*/g, '').split('\n');
      return lines.filter((each) => each.trim() !== '').map((each) => ({ ...command(each), output: null, line }));
    }
    if (language !== 'console') return [];
    return text
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const [first = '', ...lines] = part.split('\n');
        const output = lines.join('\n').trimEnd();
        return { ...command(first), output: output === '' ? null : output, line };
      });
  });
}

function command(text: string): { readonly command: string; readonly code: number } {
  const [, code] = /# exit code (\d+)/.exec(text) ?? [];
  return { command: text.replace(/\s+#.*$/, '').trim(), code: Number(code ?? 0) };
}

/** Commands that cannot or need not run here. They are only checked, and their faults are returned. */
const lookedAt: readonly { readonly form: RegExp; readonly wrong: (words: readonly string[]) => readonly string[] }[] =
  [
    { form: /^(\w+=\w+ )?npm install /, wrong: unknownPackages },
    { form: /^npm (start|test|run) ?/, wrong: unknownScript },
    { form: /^(docker compose|node|npx vitest run|kubectl|lk|pg_dump|pg_restore|sqlite3) /, wrong: missingFiles },
    { form: /^(mkdir|cd|git|npm (init|pkg|ci|install-scripts|rebuild|pack)|export|curl|kill) ?/, wrong: () => [] },
  ];

/** These commands need a person, a server or the network. */
const aloneCommands = /^roomflow (start|dev|studio|lsp|worker|supervise|serve|doctor|setup-speech|resume|forget)\b/;

/**
 * Runs a command as a shell in `folder` would; `npx roomflow` runs within this process. Lines after `you` in the output
 * are typed. Commands that cannot run here, and commands with FILE or ID, are only checked: the result is then the
 * fault, or null.
 */
export async function runShown(shown: ShownCommand, folder: string): Promise<CliRun | string | null> {
  const clone = /^npm run -s roomflow -- /;
  const isClone = clone.test(shown.command);
  const [written = '', kept = ''] = shown.command.replace(clone, 'npx roomflow ').split(/ > (?=\S+$)/);
  const words = wordsOf(written);
  const where = isClone ? projectFolder : folder;
  const bar = words.indexOf('|');
  const echoed = words[0] === 'echo' && bar > 0 ? `${words.slice(1, bar).join(' ')}\n` : '';
  const [npx, program = '', ...args] = words.slice(bar + 1);
  if (npx === 'cat') return { code: 0, out: readFileSync(join(where, program), 'utf8'), errors: '' };
  if (npx === 'npx' && program === 'roomflow') {
    const said = [...(shown.output ?? '').matchAll(/^you {4}(.*)$/gm)].map(([, text]) => `${text}\n`).join('');
    const isTalk = args[0] === 'chat' && !args.includes('--script') && said === '' && echoed === '';
    const isForm = words.some((word) => /^@?[A-Z]{2,}$/.test(word));
    if (isTalk || isForm || aloneCommands.test(`roomflow ${args[0]}`)) return await unknownOptions(args, where);
    const run = await roomflowHere(args, said + echoed, where);
    if (kept === '') return run;
    writeFileSync(join(folder, kept), run.out);
    return { ...run, out: '' };
  }
  const form = lookedAt.find((each) => each.form.test(shown.command));
  if (form === undefined) return `nobody knows how to run "${shown.command}" here`;
  const wrong = form.wrong(words);
  return wrong.length === 0 ? null : wrong.join(', ');
}

/** Splits a command into words. Quotes hold words together. */
function wordsOf(text: string): readonly string[] {
  return [...text.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );
}

/** Checks whether a command runs a program of the page in a separate process. */
export function isProgram({ command }: ShownCommand): boolean {
  return command.startsWith('npx tsx ');
}

/** Runs a program of a page. */
export async function runProgram({ command }: ShownCommand, folder: string): Promise<CliRun> {
  const main = join(projectFolder, 'node_modules/tsx/dist/cli.mjs');
  // A test file can run directly, which saves a process for each file.
  const [, , ...args] = wordsOf(command).filter((word) => word !== '--test');
  return await new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { cwd: folder }, (error, out, errors) =>
      resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, out, errors }),
    );
  });
}

/** Returns options that the command does not have, and files that do not exist. */
async function unknownOptions([name = '', ...args]: readonly string[], folder: string): Promise<string | null> {
  const { code, out } = await roomflowHere([name, '--help']);
  if (code !== 0) return `there is no command ${name}`;
  const wrong = args.flatMap((word, index) => {
    if (word.startsWith('--') && !out.includes(word.split('=')[0] ?? word)) return [`there is no option ${word}`];
    const isFile = ['--flow', '--config', '--script'].includes(args[index - 1] ?? '') && !/^[A-Z]+$/.test(word);
    return isFile && !existsSync(join(folder, word)) ? [`there is no file ${word}`] : [];
  });
  return wrong.length === 0 ? null : wrong.join(', ');
}

interface Manifest {
  readonly name: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

function manifest(): Manifest {
  return JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as Manifest; // The manifest of this project.
}

function unknownPackages(words: readonly string[]): readonly string[] {
  const { name, dependencies, devDependencies } = manifest();
  const known = new Set([name, ...Object.keys({ ...dependencies, ...devDependencies })]);
  const names = words
    .slice(words.indexOf('install') + 1)
    .filter((word) => !word.startsWith('-') && !word.endsWith('.tgz'));
  return names
    .filter((each) => !known.has(each.replace(/(?<=.)@.*$/, '')))
    .map((each) => `${each} is tried by nothing here`);
}

function unknownScript(words: readonly string[]): readonly string[] {
  const [, second = '', ...rest] = words;
  const script = second === 'run' ? (rest.find((word) => !word.startsWith('-')) ?? '') : second;
  return Object.hasOwn(manifest().scripts, script) ? [] : [`there is no script ${script}`];
}

function missingFiles(words: readonly string[]): readonly string[] {
  const files = words.filter((word) => /\/.*\.(ts|mjs|yaml|json)$/.test(word));
  return files.filter((file) => !existsSync(join(projectFolder, file))).map((file) => `there is no file ${file}`);
}
