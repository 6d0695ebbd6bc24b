import type { Effect } from '../model/effect.ts';
import { isJsonObject } from '../model/json.ts';
import type { SettledCall, TurnVia } from '../model/signals/signal.ts';
import { isWaiting } from '../kernel/state/draft.ts';
import type { StepShown, TalkLine } from './protocol/session-shown.ts';

/** The talk of one session as lines, from its log and the current speech. */
export interface Talk {
  readonly lines: readonly TalkLine[];
  /** Returns the new and changed lines. */
  step(step: StepShown): readonly TalkLine[];
  /** Adds a piece of the agent's current speech. */
  piece(text: string, at: number): readonly TalkLine[];
}

/** Creates an empty talk. */
export function createTalk(): Talk {
  const lines = new Map<string, TalkLine>();
  /** Speech that was intended and is not settled, in order. */
  const speaking: { readonly key: string; readonly kind: 'say' | 'reply' }[] = [];
  let changed: Map<string, TalkLine>;
  const put = (line: TalkLine): void => {
    lines.set(line.id, line);
    changed.set(line.id, line);
  };
  const intended = (effect: Effect, at: number): void => {
    const { key, kind, node } = effect;
    if (effect.state !== 'intended') return;
    if (kind === 'say' || kind === 'reply') {
      if (!speaking.some((one) => one.key === key)) speaking.push({ key, kind });
      if (kind === 'reply' || lines.has(speechId(key))) return;
      const who = effect.payload.reason === 'operator' ? 'operator' : 'agent';
      put({ id: speechId(key), at, who, text: effect.payload.text, heard: null, state: 'open', node });
    }
    if (kind === 'wait' && isWaiting(effect) && effect.payload.question !== '' && !lines.has(`wait:${key}`))
      put({
        id: `wait:${key}`,
        at,
        who: 'wait',
        text: effect.payload.question,
        heard: null,
        state: 'open',
        node,
        waitKey: key,
      });
  };
  const settled = (key: string, change: (line: TalkLine) => TalkLine): void => {
    const line = lines.get(key);
    if (line !== undefined) put(change(line));
  };
  const forget = (key: string): void => {
    const index = speaking.findIndex((one) => one.key === key);
    if (index !== -1) speaking.splice(index, 1);
  };
  const follow = ({ signal, seq, node }: StepShown): void => {
    const { at } = signal;
    switch (signal.type) {
      case 'user:turn':
        return put({
          ...{ id: `turn:${signal.eventId}`, at, who: 'caller', text: signal.text, heard: signal.text, state: 'done' },
          ...{ via: vias[signal.via], node, seq },
        });
      case 'speech:settled': {
        forget(signal.key);
        const { text, heard, aside = '' } = signal;
        const id = speechId(signal.key);
        const known = lines.get(id);
        const said = text === '' ? (known?.text ?? aside) : text;
        if (said === '') return;
        const whole = heard === '' && aside !== '' ? aside : heard;
        const isCut = signal.state !== 'done' || whole.length < said.trim().length;
        const base = known ?? { id, at, who: 'agent' as const, node };
        return put({ ...base, text: said, heard: whole, state: isCut ? 'cut' : 'done', seq });
      }
      case 'tool:called':
        return put({
          ...{ id: `call:${signal.key}`, at, who: 'tool', text: signal.name, heard: null, state: 'open', node, seq },
          call: { name: signal.name, arguments: signal.arguments, write: true, state: 'running' },
        });
      case 'batch:settled':
        for (const call of signal.calls) put(callLine(call, at, node, seq, lines.get(`call:${call.key}`)));
        return;
      case 'takeover:said':
      case 'takeover:heard':
        return put({
          id: `operator:${seq}`,
          at,
          who: 'operator',
          text: signal.text,
          heard: signal.text,
          state: 'done',
          node,
          seq,
        });
      case 'session:resumed':
        return note(seq, at, 'The conversation continues after a gap.');
      case 'flow:swapped':
        return note(
          seq,
          at,
          `The conversation continues in ${signal.flow.id}, version ${signal.flow.hash.slice(0, 8)}.`,
        );
      default:
    }
  };
  const note = (seq: number, at: number, text: string): void =>
    put({ id: `note:${seq}`, at, who: 'note', text, heard: text, state: 'done', seq });
  return {
    get lines() {
      return [...lines.values()];
    },
    step(step) {
      changed = new Map();
      const { signal, seq, facts, effects, state } = step;
      follow(step);
      for (const effect of effects ?? []) intended(effect, signal.at);
      for (const { type, data } of facts) {
        if (type === 'wait:resolved' || type === 'wait:expired' || type === 'wait:cancelled')
          settled(`wait:${data.key}`, (line) => ({
            ...line,
            heard: line.text,
            state: type === 'wait:cancelled' ? 'cut' : 'done',
            seq,
          }));
        if (type === 'flow:ended') note(seq, signal.at, `The flow has ended: ${data.reason}.`);
        if (type === 'flow:stuck') note(seq, signal.at, `The flow is stuck: ${data.reason}.`);
      }
      // Speech that is no longer open in the state was interrupted.
      const open = state?.['effects'];
      if (open !== undefined && isJsonObject(open))
        for (const { key } of [...speaking]) {
          if (Object.hasOwn(open, key)) continue;
          forget(key);
          settled(speechId(key), (line) =>
            line.state === 'open' ? { ...line, heard: line.heard ?? '', state: 'cut' } : line,
          );
        }
      return [...changed.values()];
    },
    piece(text, at) {
      changed = new Map();
      const [first] = speaking;
      // A fixed line is already shown in full.
      if (first?.kind !== 'reply') return [];
      const id = speechId(first.key);
      const known = lines.get(id) ?? { id, at, who: 'agent' as const, text: '', heard: null, state: 'open' as const };
      if (known.state === 'open') put({ ...known, text: known.text + text });
      return [...changed.values()];
    },
  };
}

function speechId(key: string): string {
  return `speech:${key}`;
}

function callLine(call: SettledCall, at: number, node: string, seq: number, known: TalkLine | undefined): TalkLine {
  const { key, name, result, error } = call;
  // A later decision of a person is shown as waiting too.
  const state = call.state === 'pending' ? 'waiting' : call.state;
  const told = {
    ...{ name, arguments: call.arguments, write: known?.call?.write ?? false, state },
    ...(result === undefined ? {} : { result }),
    ...(error === undefined ? {} : { error }),
  };
  const base = known ?? { id: `call:${key}`, at, who: 'tool' as const, text: name, node };
  return { ...base, heard: name, state: state === 'waiting' ? 'open' : 'done', seq, call: told };
}

const vias: Readonly<Record<TurnVia, NonNullable<TalkLine['via']>>> = {
  speech: 'voice',
  text: 'typed',
  dtmf: 'dtmf',
  proxy: 'proxy',
  message: 'message',
  scheduled: 'scheduled',
};
