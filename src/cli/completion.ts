import { type ArgsDef, type CommandDef, defineCommand } from 'citty';
import { FlowError } from '../model/errors.ts';
import { print } from './output.ts';

/** A command with its options. */
export interface CommandShape {
  readonly name: string;
  readonly description: string;
  readonly options: ArgsDef;
}

const args = {
  shell: { type: 'positional', description: 'bash, zsh or fish.', required: true },
} as const satisfies ArgsDef;

/** Defines the command; `shapes` loads every command of the command line. */
export function completionCommand(shapes: () => Promise<readonly CommandShape[]>): CommandDef<typeof args> {
  return defineCommand({
    args,
    async run({ args: { shell } }) {
      const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
      if (script === undefined)
        throw new FlowError('option-invalid', `there is no completion for "${shell}". Write bash, zsh or fish.`);
      print(script(await shapes()));
    },
  });
}

const scripts: Readonly<Record<string, (shapes: readonly CommandShape[]) => string>> = {
  bash,
  zsh: (shapes) => `#compdef roomflow\nautoload -U +X bashcompinit && bashcompinit\n${bash(shapes)}`,
  fish,
};

function bash(shapes: readonly CommandShape[]): string {
  const rows = shapes.map(({ name, options }) => `    ${name}) words=${quoted(flagsOf(options).join(' '))} ;;`);
  return `# roomflow completion: eval "$(roomflow completion bash)"
_roomflow() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=''
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${quoted(shapes.map(({ name }) => name).join(' '))} -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${rows.join('\n')}
  esac
  case "$current" in -*) COMPREPLY=($(compgen -W "$words --help" -- "$current")) ;; esac
}
complete -o default -F _roomflow roomflow`;
}

function fish(shapes: readonly CommandShape[]): string {
  const rows = shapes.flatMap(({ name, description, options }) => [
    `complete -c roomflow -n __fish_use_subcommand -a ${name} -d ${quoted(description)}`,
    ...flagsOf(options).map((flag) => {
      const text = options[flag.replace(/^--(?:no-)?/, '')]?.description ?? '';
      return `complete -c roomflow -n ${quoted(`__fish_seen_subcommand_from ${name}`)} -l ${flag.slice(2)} -d ${quoted(text)}`;
    }),
  ]);
  return ['# roomflow completion: roomflow completion fish | source', ...rows].join('\n');
}

/** Returns the options of a command as the user writes them. */
function flagsOf(options: ArgsDef): readonly string[] {
  return Object.entries(options).flatMap(([name, option]) => {
    if (option.type === 'positional') return [];
    return [`--${option.type === 'boolean' && option.default === true ? 'no-' : ''}${name}`];
  });
}

/** Quotes a text for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
