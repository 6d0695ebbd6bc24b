import { classic } from '../flow/document/classic.ts';

/** Context of a custom command. */
export interface CommandContext {
  readonly sessionId: string;
  /** The active flow; null on the classic path. */
  readonly activeFlow: string | null;
}

/** Result of a command: a line to say, a flow to start, or the active flow to stop. An empty result leaves the conversation unchanged. */
export interface CommandOutcome {
  readonly say?: string;
  readonly startFlow?: string;
  readonly stopFlow?: boolean;
}

/** A custom command. A returned string is the line to say. */
export type Command = (
  argument: string,
  context: CommandContext,
) => Promise<CommandOutcome | string | void> | CommandOutcome | string | void;

/**
 * Commands by name, without the slash. `false` disables a command, including the built-in `flow`, `flow start`, `flow stop` and `flow status`.
 */
export type Commands = Readonly<Record<string, Command | false>>;

export interface CommandGateOptions {
  readonly commands: Commands;
  readonly flows: ReadonlySet<string>;
  /** Receives the error of a command; the caller hears a standard line. */
  readonly onError: (error: unknown) => void;
}

/**
 * Runs the caller's text as a command: `/flow NAME`, `/flow stop`, `/flow status` or a custom one. Returns
 * null if the text is not an enabled, known command; it is then treated as ordinary words. Never throws.
 */
export async function runCommand(
  text: string,
  context: CommandContext,
  options: CommandGateOptions,
): Promise<CommandOutcome | null> {
  const written = /^\/([\p{L}\p{N}_-]+)(?:\s+([\s\S]*))?$/u.exec(text.trim());
  if (written === null) return null;
  const name = (written[1] ?? '').toLowerCase();
  const argument = (written[2] ?? '').trim();
  const own = Object.hasOwn(options.commands, name) ? options.commands[name] : undefined;
  if (own === false) return null;
  if (own !== undefined) return await runOwn(own, argument, context, options);
  return name === 'flow' ? flowCommand(argument, context, options) : null;
}

async function runOwn(
  command: Command,
  argument: string,
  context: CommandContext,
  { onError, flows }: CommandGateOptions,
): Promise<CommandOutcome> {
  try {
    const outcome = (await command(argument, context)) ?? {};
    if (typeof outcome === 'string') return { say: outcome };
    if (outcome.startFlow !== undefined && !flows.has(outcome.startFlow))
      return { say: unknownFlow(outcome.startFlow, flows) };
    return outcome;
  } catch (error) {
    onError(error);
    return { say: 'That command did not succeed.' };
  }
}

function flowCommand(
  argument: string,
  { activeFlow }: CommandContext,
  { commands, flows }: CommandGateOptions,
): CommandOutcome | null {
  const isDisabled = (part: string): boolean =>
    Object.hasOwn(commands, `flow ${part}`) && commands[`flow ${part}`] === false;
  if (argument === 'status') {
    if (isDisabled('status')) return null;
    return { say: activeFlow === null ? 'No flow is active.' : `Flow "${activeFlow}" is active.` };
  }
  if (argument === 'stop') {
    if (isDisabled('stop')) return null;
    if (activeFlow === null) return { say: 'No flow is active.' };
    return { say: `Flow "${activeFlow}" is stopped.`, stopFlow: true };
  }
  if (isDisabled('start')) return null;
  return flows.has(argument) ? { startFlow: argument } : { say: unknownFlow(argument, flows) };
}

/** Returns one message for each flow whose name conflicts with a command or the classic path. */
export function takenFlowNames(names: readonly string[], commands: Commands | undefined): readonly string[] {
  const isCommand = (name: string): boolean =>
    (name === 'stop' || name === 'status') &&
    commands !== undefined &&
    commands['flow'] !== false &&
    commands[`flow ${name}`] !== false;
  return names.flatMap((name) => {
    if (name === classic) return [`${name}: the name is reserved for the prompt. Give the flow another name.`];
    return isCommand(name) ? [`${name}: "/flow ${name}" is a command. Give the flow another name.`] : [];
  });
}

function unknownFlow(name: string, flows: ReadonlySet<string>): string {
  const known = [...flows].join(', ');
  const remedy = known === '' ? 'There are no flows.' : `There are: ${known}.`;
  return name === '' ? `Say which flow. ${remedy}` : `There is no flow "${name}". ${remedy}`;
}
