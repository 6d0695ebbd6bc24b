import { readFileSync } from 'node:fs';
import { FlowError } from '../errors.ts';
import { readData } from '../load/read-data.ts';
import type { FlowRunner } from '../runner.ts';
import { unmet } from '../testing/expectations.ts';
import { parseScript, type ScriptStep } from '../testing/script.ts';
import { complain, paint, print } from './output.ts';

export interface OpenedScript {
  readonly file: string;
  readonly steps: readonly ScriptStep[];
}

/** Plays a script's lines to a running flow and sets exit code 1 where an expectation is not met. */
export async function playScript({ file, steps }: OpenedScript, runner: FlowRunner): Promise<void> {
  const said: string[] = [];
  let ended: string | null = null;
  void runner.ended.then((reason) => (ended = reason));
  const stop = runner.onSpeech((text) => said.push(text));
  let failures = 0;
  for (const [index, step] of steps.entries()) {
    if ('expect' in step) {
      for (const failure of unmet(step.expect, { state: runner.state, said, ended, requests: null })) {
        failures += 1;
        complain(`${file}: step ${index + 1}: ${failure}`);
      }
      continue;
    }
    said.length = 0;
    await play(step, index, file, runner);
    // The end is told a moment after the last words.
    await new Promise((resolve) => setImmediate(resolve));
  }
  stop();
  print(failures === 0 ? paint('green', `script: ${steps.length} steps, ok`) : `script: ${failures} not met`);
  if (failures > 0) process.exitCode = 1;
}

async function play(step: ScriptStep, index: number, file: string, runner: FlowRunner): Promise<void> {
  if ('say' in step && step.from === undefined) {
    print(`${paint('green', 'you    ')}${step.say}`);
    await runner.send(step.say, step.id === undefined ? {} : { eventId: step.id });
  } else if ('dtmf' in step) await runner.send(step.dtmf, { via: 'dtmf' });
  else if (!('join' in step))
    throw new FlowError(
      'script-unsupported',
      `${file}: step ${index + 1} needs a room. A terminal plays say, dtmf and expect.`,
    );
}

/** Reads a script. Throws `file-not-found`, `data-invalid` or `script-invalid` with every fault. */
export function openScript(file: string): OpenedScript {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new FlowError('file-not-found', `${file} cannot be read.`, { cause });
  }
  return { file, steps: parseScript(readData(text, file), file) };
}
