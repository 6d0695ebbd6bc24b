import type { Draft } from '../draft.ts';
import type { DraftLadder } from '../draft-node.ts';
import type { Source } from '../source.ts';
import { noteLost } from '../unread-keys.ts';
import { liquidText } from './tools.ts';

/** Converts what an assistant says after silence, from the older setting and from hooks, to a ladder. */
export function readSilence(draft: Draft, holder: Source): DraftLadder | undefined {
  const plan = holder.at('messagePlan');
  const idle = plan.items('idleMessages').flatMap((message) => {
    const text = message.take();
    return typeof text === 'string' && text.trim() !== '' ? [liquidText(draft, text, message)] : [];
  });
  const seconds = plan.number('idleTimeoutSeconds');
  const times = plan.number('idleMessageMaxSpokenCount');
  plan.number('idleMessageResetCountOnUserSpeechEnabled');
  const own: Silence[] =
    idle.length === 0 && seconds === undefined && times === undefined
      ? []
      : [{ place: plan, lines: idle, seconds, times }];
  const hooks = holder.items('hooks').flatMap((hook) => readHook(draft, hook));
  const silences = [...own, ...hooks];
  if (silences.length === 0) return undefined;
  draft.notes.changed(holder, 'lines after silence are a ladder, which also counts unusable answers');
  return ladderOf(draft, silences);
}

/** The lines after a period of silence. */
interface Silence {
  readonly place: Source;
  readonly lines: readonly string[];
  readonly seconds: number | undefined;
  readonly times: number | undefined;
}

function readHook(draft: Draft, hook: Source): readonly Silence[] {
  const on = hook.text('on') ?? '';
  if (on !== 'customer.speech.timeout') {
    draft.notes.lost(hook, `a hook on "${on}": listen to events of the runner`);
    hook.take();
    return [];
  }
  const options = hook.at('options');
  const seconds = options.number('timeoutSeconds');
  const times = options.number('triggerMaxCount');
  noteLost(draft, options, ['triggerResetMode']);
  const lines = hook.items('do').flatMap((action) => {
    const exact = action.at('exact').take();
    const wordings = Array.isArray(exact) ? exact.filter((one) => typeof one === 'string') : [];
    if (wordings.length > 1)
      draft.notes.lost(action.at('exact'), `${wordings.length - 1} more wordings of a line: the first is kept`);
    const text = typeof exact === 'string' ? exact : wordings[0];
    if (text !== undefined) return [liquidText(draft, text, action)];
    draft.notes.lost(action, 'an action after silence other than a fixed line');
    return [];
  });
  hook.take();
  return [{ place: hook, lines, seconds, times }];
}

/** A ladder has one time between its lines: that of the earliest line. */
function ladderOf(draft: Draft, silences: readonly Silence[]): DraftLadder {
  const ordered = silences.toSorted((one, other) => (one.seconds ?? 0) - (other.seconds ?? 0));
  const first = ordered.find(({ seconds }) => seconds !== undefined)?.seconds;
  for (const { place, seconds } of ordered)
    if (seconds !== undefined && seconds !== first)
      draft.notes.changed(
        place,
        `the line after ${seconds} seconds of silence became the next line of the ladder, whose lines come ${first} seconds after each other`,
      );
  const lines = ordered.flatMap((silence) => silence.lines);
  const times = ordered.flatMap((silence) => silence.times ?? []);
  return {
    ...(first === undefined ? {} : { no_input_ms: milliseconds(first) }),
    ...(times.length === 0 ? {} : { attempts: attempts(times.reduce((sum, each) => sum + each, 0)) }),
    ...(lines.length === 0 ? {} : { lines }),
  };
}

function milliseconds(seconds: number): number {
  return Math.min(600_000, Math.max(0, Math.round(seconds * 1_000)));
}

function attempts(times: number): number {
  return Math.min(10, Math.max(1, Math.round(times) + 1));
}
