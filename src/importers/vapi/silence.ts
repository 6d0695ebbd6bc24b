import type { Draft } from '../draft.ts';
import type { DraftLadder } from '../draft-node.ts';
import type { Source } from '../source.ts';
import { liquidText } from './tools.ts';

/** What an assistant says into silence, in the older way and in hooks, as a ladder. */
export function readSilence(draft: Draft, holder: Source): DraftLadder | undefined {
  const plan = holder.at('messagePlan');
  const idle = plan.items('idleMessages').flatMap((message) => {
    const text = message.take();
    return typeof text === 'string' && text.trim() !== '' ? [liquidText(draft, text, message)] : [];
  });
  const seconds = plan.number('idleTimeoutSeconds');
  const times = plan.number('idleMessageMaxSpokenCount');
  plan.number('idleMessageResetCountOnUserSpeechEnabled');
  let ladder: DraftLadder = {
    ...(idle.length === 0 ? {} : { lines: idle }),
    ...(seconds === undefined ? {} : { no_input_ms: milliseconds(seconds) }),
    ...(times === undefined ? {} : { attempts: attempts(times) }),
  };
  for (const hook of holder.items('hooks')) {
    const on = hook.text('on') ?? '';
    if (on !== 'customer.speech.timeout') {
      draft.notes.lost(hook, `a hook on "${on}": listen to events of the runner`);
      hook.take();
      continue;
    }
    const options = hook.at('options');
    const after = options.number('timeoutSeconds');
    const most = options.number('triggerMaxCount');
    const lines = hook.items('do').flatMap((action) => {
      const exact = action.at('exact').take();
      const text =
        typeof exact === 'string'
          ? exact
          : Array.isArray(exact)
            ? exact.find((one) => typeof one === 'string')
            : undefined;
      if (typeof text === 'string') return [liquidText(draft, text, action)];
      draft.notes.lost(action, 'what a silence brings besides a fixed line');
      return [];
    });
    hook.take();
    ladder = {
      ...ladder,
      ...(after === undefined ? {} : { no_input_ms: milliseconds(after) }),
      ...(most === undefined ? {} : { attempts: attempts(most) }),
      ...(lines.length === 0 ? {} : { lines: [...(ladder.lines ?? []), ...lines] }),
    };
  }
  if (Object.keys(ladder).length === 0) return undefined;
  draft.notes.changed(holder, 'what is said into silence is a ladder, which also counts answers that are none');
  return ladder;
}

function milliseconds(seconds: number): number {
  return Math.min(600_000, Math.max(0, Math.round(seconds * 1_000)));
}

function attempts(times: number): number {
  return Math.min(10, Math.max(1, Math.round(times) + 1));
}
