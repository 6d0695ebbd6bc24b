import { FlowError } from '../../model/errors.ts';
import { boundedFile } from '../bounded-file.ts';
import { readData } from '../../flow/load/read-data.ts';
import type { FlowRunner } from '../../runner/flow-runner.ts';
import { unmet } from '../../testing/expectations.ts';
import { parseScript, type ScriptStep } from '../../testing/script.ts';
import { complain, paint, print } from '../output.ts';
import { counted } from '../../model/ports/counted.ts';

export interface OpenedScript {
  readonly file: string;
  readonly steps: readonly ScriptStep[];
}

/**
 * Plays the steps of a script in a running flow. Sets exit code 1 if an expectation fails or a step follows the end.
 */
export async function playScript({ file, steps }: OpenedScript, runner: FlowRunner): Promise<void> {
  const said: string[] = [];
  let ended = null as string | null; // Assigned in a promise, which the compiler does not see.
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
    if (ended !== null) {
      failures += 1;
      complain(`${file}: step ${index + 1}: the conversation has already ended (${ended}).`);
      break;
    }
    said.length = 0;
    await play(step, runner);
    // The `ended` promise resolves shortly after the last words.
    await new Promise((resolve) => setImmediate(resolve));
  }
  stop();
  print(
    failures === 0 ? paint('green', `script: ${counted(steps.length, 'step')}, ok`) : `script: ${failures} not met`,
  );
  if (failures > 0) process.exitCode = 1;
}

async function play(step: ScriptStep, runner: FlowRunner): Promise<void> {
  if ('say' in step) {
    print(`${paint('green', 'you    ')}${step.say}`);
    await runner.send(step.say, step.id === undefined ? {} : { eventId: step.id });
  } else if ('dtmf' in step) {
    print(`${paint('green', 'keys   ')}${step.dtmf}`);
    await runner.send(step.dtmf, { via: 'dtmf' });
  }
}

/**
 * Reads a script. Throws `file-not-found`, `data-invalid`, `script-invalid` with every fault, and `script-unsupported`
 * if a step needs a room.
 */
export function openScript(file: string): OpenedScript {
  let text: string | null;
  try {
    text = boundedFile(file);
  } catch (cause) {
    if (cause instanceof FlowError) throw cause;
    throw new FlowError('file-not-found', `${file} cannot be read.`, { cause });
  }
  if (text === null) throw new FlowError('data-invalid', `${file} is larger than 16 MB. Name a script file.`);
  const steps = parseScript(readData(text, file), file);
  const needsRoom = steps.findIndex((step) => !isPlayable(step));
  if (needsRoom >= 0)
    throw new FlowError(
      'script-unsupported',
      `${file}: step ${needsRoom + 1} needs a room. A terminal plays say, dtmf and expect.`,
    );
  return { file, steps };
}

/** The user of a terminal has already joined, so `join` has nothing to do. */
function isPlayable(step: ScriptStep): boolean {
  return 'say' in step ? step.from === undefined : 'dtmf' in step || 'expect' in step || 'join' in step;
}
