import { printable } from '../../livekit/channels/console.ts';
import type { Event } from '../../model/events/event.ts';
import type { FlowRun } from '../../runner/flow-run.ts';
import { systemClock } from '../../system.ts';
import { paint } from '../output.ts';

/** The progress of a run on the terminal. */
export interface Progress {
  /** Prints lines between the lines of the progress. */
  note(text: string): void;
  end(): void;
}

const frames = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
const frameMs = 80;

/**
 * Prints a line for each finished task and, on a terminal, a line with the running tasks. All on standard error. After
 * an interruption skipped tasks are not printed: they may still run when the run continues.
 */
export function showProgress(instance: FlowRun, wasBrokenOff: () => boolean): Progress {
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
    if (event.type === 'task:skipped' && wasBrokenOff()) return;
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

/** Returns the line of a task's event; null if the event has none. */
function lineOf({ type, data, time }: Event, startedAt: Map<string, number>): string | null {
  if (!('taskId' in data)) return null;
  const { taskId } = data;
  const isBefore = 'recovered' in data && data.recovered;
  const passed = isBefore ? 'before' : duration(time - (startedAt.get(taskId) ?? time));
  const took = paint('dim', `  ${passed}`, process.stderr);
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
