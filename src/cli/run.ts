import { defineCommand } from 'citty';
import { createConsoleQuestions } from '../channels/console-questions.ts';
import { printable } from '../channels/console.ts';
import { createFlowRunner } from '../create-flow-runner.ts';
import { FlowError } from '../errors.ts';
import type { Event } from '../events/event.ts';
import { isJsonObject, type Json, type JsonObject } from '../events/json.ts';
import type { FlowInstance, FlowRunResult } from '../flow-instance.ts';
import { checkFlow } from '../load/check-flow.ts';
import { openFlow } from '../load/open-flow.ts';
import { builtinCatalog } from '../nodes/builtin.ts';
import { modelPort } from '../session/model-port.ts';
import { openModel } from '../session/models.ts';
import { plugInOf } from '../session/plug-in-choice.ts';
import { systemClock } from '../session/system.ts';
import type { TaskFlowSource } from '../task-world.ts';
import { complain, paint, print } from './output.ts';
import { configFile, openConfig } from './sources.ts';

export const runCommand = defineCommand({
  meta: {
    name: 'run',
    description: 'Run a task flow to its outputs. Exit code 1 if it fails, 130 if it is broken off by Ctrl-C.',
  },
  args: {
    file: { type: 'positional', description: 'The flow file.', required: true },
    input: { type: 'string', description: 'The input as a JSON object.' },
    config: { type: 'string', description: 'Tools, flows and the model; ./agent.config.ts where there is one.' },
    json: { type: 'boolean', description: 'Print one JSON document, and no progress.' },
  },
  async run({ args }) {
    const instance = await prepare(args.file, args.input, args.config);
    const isShown = args.json !== true;
    const progress = isShown ? showProgress(instance) : null;
    const write = (lines: string): void => {
      const text = lines.split('\n').map(printable).join('\n');
      if (progress === null) complain(text);
      else progress.note(text);
    };
    instance.attach(createConsoleQuestions({ input: process.stdin, write }));
    const breakOff = (): void => {
      // Asked twice, it does not even wait for a write.
      process.once('SIGINT', () => process.exit(brokenOff));
      instance.abort();
    };
    process.once('SIGINT', breakOff);
    const result = await instance.run();
    process.off('SIGINT', breakOff);
    progress?.end();
    tell(result, isShown);
    if (result.status !== 'complete') process.exitCode = result.status === 'aborted' ? brokenOff : 1;
  },
});

/** What a shell says of a process that Ctrl-C has ended. */
const brokenOff = 130;

async function prepare(file: string, input: string | undefined, asked: string | undefined): Promise<FlowInstance> {
  const given = inputOf(input ?? '{}');
  const config = await openConfig(configFile(asked));
  const choice = config?.models?.llm;
  const llm = typeof choice === 'string' || choice === undefined ? choice : await plugInOf(choice);
  const { model } = await openModel(llm, process.env);
  // What a TypeScript file exports is checked like any other document, and a flow of another kind when it is run.
  const source = (await openFlow(file)) as TaskFlowSource;
  const flows = (config?.flows ?? {}) as Readonly<Record<string, TaskFlowSource>>;
  const catalog = config?.catalog ?? builtinCatalog;
  const { graph: conversation } = checkFlow(source, { catalog });
  if (conversation !== null)
    throw new FlowError(
      'flow-invalid',
      `"${conversation.name}" is a conversation. Talk to it: roomflow chat --flow ${file}`,
    );
  return createFlowRunner(source, catalog, {
    input: given,
    flows,
    model: modelPort(model),
    ...(config?.tools === undefined ? {} : { tools: config.tools }),
  });
}

function inputOf(text: string): JsonObject {
  let input: Json;
  try {
    input = JSON.parse(text) as Json;
  } catch (cause) {
    throw new FlowError('input-invalid', `--input is no JSON. Write it like '{"name": "Ann"}'.`, { cause });
  }
  if (!isJsonObject(input)) throw new FlowError('input-invalid', '--input must be a JSON object.');
  return input;
}

/** The outputs, or what went wrong. */
function tell({ outputs, failures, status, durationMs }: FlowRunResult, isShown: boolean): void {
  if (!isShown) {
    print(JSON.stringify({ status, durationMs, outputs, failures }));
    return;
  }
  for (const { taskId, code, message } of failures) complain(`${taskId}: ${code}: ${printable(message)}`);
  if (status === 'aborted') complain('broken off.');
  else print(JSON.stringify(outputs, null, 2));
}

interface Progress {
  /** Writes lines between those of the progress. */
  note(text: string): void;
  end(): void;
}

const frames = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
const frameMs = 80;

/** A line for each task that has ended and, on a terminal, one that names those that run. All on the error output. */
function showProgress(instance: FlowInstance): Progress {
  const { stderr } = process;
  const startedAt = new Map<string, number>();
  const beganAt = systemClock.now();
  let stop: () => void = () => undefined;
  const erase = (): void => void (stderr.isTTY && stderr.write('\r\u001B[K'));
  const note = (text: string): void => {
    erase();
    stderr.write(`${text}\n`);
  };
  const spin = (frame: number): void => {
    erase();
    const seconds = Math.floor((systemClock.now() - beganAt) / 1000);
    const running = `${frames[frame % frames.length]} ${[...startedAt.keys()].join(', ')}  ${seconds} s`;
    stderr.write(paint('dim', running.slice(0, (stderr.columns ?? 80) - 1), stderr));
    stop = systemClock.schedule(frameMs, () => spin(frame + 1));
  };
  if (stderr.isTTY) spin(0);
  instance.subscribe('task:*', (event) => {
    const line = lineOf(event, startedAt);
    if (line !== null) note(line);
  });
  return {
    note,
    end() {
      stop();
      erase();
    },
  };
}

/** What a task's event means for a reader; null where it means nothing yet. */
function lineOf({ type, data, time }: Event, startedAt: Map<string, number>): string | null {
  if (!('taskId' in data)) return null;
  const { taskId } = data;
  const began = startedAt.get(taskId);
  const took = began === undefined ? '' : paint('dim', `  ${duration(time - began)}`, process.stderr);
  const name = printable(taskId);
  switch (type) {
    case 'task:start':
      startedAt.set(taskId, time);
      return null;
    case 'task:retry':
      return `${paint('yellow', '↻', process.stderr)} ${name}  attempt ${data.attempt}`;
    case 'task:complete':
      startedAt.delete(taskId);
      return `${paint('green', '✓', process.stderr)} ${name}${took}`;
    case 'task:failed':
      startedAt.delete(taskId);
      return `${paint('red', '✗', process.stderr)} ${name}${took}  ${data.code}`;
    case 'task:skipped':
      return `${paint('dim', '-', process.stderr)} ${name}  ${paint('dim', 'skipped', process.stderr)}`;
    default:
      return null;
  }
}

function duration(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}
