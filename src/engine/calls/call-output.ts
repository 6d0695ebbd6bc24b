import type { Json } from '../../model/json.ts';
import type { SettledCall } from '../../model/signals/signal.ts';
import { cutNote } from './bounded-result.ts';

/** The outcome of a call, as text for the model. */
export interface CallOutput {
  readonly output: string;
  readonly isError: boolean;
}

/** Returns a result as text for the model. An empty result says so explicitly, because "ok" or nothing suggests that something was found. */
export function resultText(result: Json): string {
  if (result === null || result === '') return 'It ran and gave no result.';
  return typeof result === 'string' ? result : JSON.stringify(result);
}

/** Returns the text about a settled call for the model. */
export function callOutput({ state, result, error, cutFrom, isRunning }: SettledCall): CallOutput {
  if (state === 'waiting') return { output: 'Not done yet: the caller is being asked to confirm.', isError: false };
  if (isRunning === true)
    return {
      output: 'Begun, and not done yet. Its outcome is told as soon as it is known: do not make this call again.',
      isError: false,
    };
  if (state === 'pending')
    return {
      output:
        'Begun, and not decided yet: it waits for somebody or something outside of this conversation. Its outcome is told ' +
        'as soon as it is known. Tell the caller so; they may wait, go on with something else, or hang up.',
      isError: false,
    };
  if (state !== 'done') return { output: error ?? 'It did not succeed.', isError: state !== 'cancelled' };
  const output = result === undefined ? 'ok' : resultText(result);
  return { output: cutFrom === undefined ? output : `${output}\n${cutNote(cutFrom)}`, isError: false };
}
