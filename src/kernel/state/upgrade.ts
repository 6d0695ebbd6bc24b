import { FlowError } from '../../model/errors.ts';
import { actsOfOldReading, type OldReading } from '../dialogue/old-reading.ts';
import type { SessionDialogue } from './dialogue.ts';
import type { SessionKnowledge } from './knowledge.ts';
import type { SessionPeople } from './people.ts';
import type { SessionPosition } from './position.ts';
import { confirmationIn, generatorQuestionId } from './draft.ts';
import { newSession, type SessionState, stateVersion } from './state.ts';
import type { SessionTurn } from './turn.ts';

type Stored = Readonly<Record<string, unknown>>;

/** Converts a state from one version to the next. Named after the change. */
export type Upgrade = (state: Stored) => Stored;

type Member = keyof (SessionPosition & SessionTurn & SessionKnowledge & SessionDialogue & SessionPeople);

/** The groups of members, since version 3. */
const groups = ['position', 'turn', 'knowledge', 'dialogue', 'people'] as const;

/** Version 2 adds the progress of questions and the origin of values; older sessions get the defaults. */
const withTalkState: Upgrade = (state) => ({ ...defaultsOf(addedInVersion2), ...state });

/** Members that version 1 lacks. */
const addedInVersion2: readonly Member[] = [
  'language',
  'troubles',
  'triedAgain',
  'said',
  'saidBefore',
  'patience',
  'declined',
  'wordings',
  'asked',
  'ladder',
  'attempts',
  'words',
  'modelAsked',
  'refused',
  'refusals',
  'agreed',
  'lineDue',
  'nodeCall',
];

/** Version 3 puts the members into groups and stores the acts of the caller's words instead of a reading. */
const withGroups: Upgrade = (state) => {
  const { stateVersion: version, sessionId, status, effects } = state;
  const before = { ...defaultsOf(addedDuringVersion2), ...state };
  const flat: Stored = { ...before, words: withUtterance(state['words']), put: withQuestion(before) };
  const fresh = newSession('');
  const grouped = groups.map((group) => {
    const names = Object.keys(fresh[group]).map((name) => [name, nameInVersion2[name] ?? name] as const);
    const known = names.filter(([, before]) => Object.hasOwn(flat, before));
    return [group, Object.fromEntries(known.map(([name, before]) => [name, flat[before]]))] as const;
  });
  return { stateVersion: version, sessionId, status, ...Object.fromEntries(grouped), effects };
};

/** Members added during version 2; sessions without them get the defaults. */
const addedDuringVersion2: readonly Member[] = [
  'incarnation',
  'correlation',
  'origin',
  'lastWait',
  'takeover',
  'unattended',
  'computed',
  'path',
  'speaking',
  'put',
  'callerSaid',
  'note',
  'askAgain',
  'taskQuestion',
  'talk',
];

/**
 * Adds the id of its question to the line with the last question: that of the generator, or of the slot asked for in this
 * visit. A slot asked for earlier was followed by a consent, whose question has the key of its line.
 */
function withQuestion({ put, asked, visit, status, generator }: Stored): unknown {
  if (typeof put !== 'object' || put === null || !('key' in put)) return put;
  const position = { generator: generator ?? null } as SessionState['position']; // Only the generator is read.
  const ofGenerator = generatorQuestionId({ position });
  if (ofGenerator !== null) return { ...put, question: ofGenerator };
  if (typeof asked !== 'string') return put;
  const isCurrent = status === 'ended' || asked.startsWith(`${String(visit)}/`);
  return { ...put, question: isCurrent ? asked : put.key };
}

/** Members of a group with another name in version 2. */
const nameInVersion2: Readonly<Record<string, string>> = { number: 'turn' };

/** Converts the reading of a turn by an older release to dialogue acts. */
function withUtterance(words: unknown): unknown {
  if (typeof words !== 'object' || words === null || !('reading' in words)) return words;
  const { reading, ...rest } = words;
  const utterance = reading === null ? null : actsOfOldReading(reading as OldReading); // Written by a release with that shape.
  return { ...rest, utterance };
}

/** Members added during version 3; sessions without them get the defaults. */
const addedLater: readonly Member[] = ['callee'];

function defaultsOf(members: readonly Member[]): Stored {
  const { position, turn, knowledge, dialogue, people } = newSession('');
  const fresh = { ...position, ...turn, ...knowledge, ...dialogue, ...people };
  return Object.fromEntries(members.map((name) => [name, fresh[name]]));
}

/** `upgrades[n]` upgrades version n+1 to n+2. */
const upgrades: readonly Upgrade[] = [withTalkState, withGroups];

/**
 * Reads a stored state and upgrades it to this version. Throws `state-unreadable` for a value that is not a state,
 * `state-too-new` for a state of a newer release, and `session-kind-wrong` for a run of a task flow. Never returns a partly
 * understood session.
 */
export function readState(
  stored: unknown,
  known: readonly Upgrade[] = upgrades,
  current: number = stateVersion,
): SessionState {
  const version = versionOf(stored);
  if (version > current)
    throw new FlowError(
      'state-too-new',
      `the session was written by a newer release (state version ${version}). Upgrade roomflow.`,
    );
  let state = stored as Stored; // versionOf has checked that it is an object.
  if (Object.hasOwn(state, 'taskFlow'))
    throw new FlowError('session-kind-wrong', 'the session is a run of a task flow. Continue it with "roomflow run".');
  for (const upgrade of known.slice(version - 1, current - 1)) state = upgrade(state);
  const fresh = newSession('');
  // In the member order of a new session, so a loaded state serializes like a folded one.
  const whole: Record<string, unknown> = { ...membersOf(fresh, state, ''), stateVersion: current };
  for (const group of groups) whole[group] = membersOf(fresh[group], state[group], `${group}.`);
  return withUnheardQuestion(whole as unknown as SessionState); // The upgrades cover the shape of every older release.
}

/** Moves the mark of an unheard question to its line. Earlier releases kept it at the wait or the generator. */
function withUnheardQuestion(state: SessionState): SessionState {
  const { position, dialogue, effects } = state;
  const { question: spoken, ...generator } = (position.generator ?? {}) as { question?: { unheard?: boolean } | null }; // Older releases.
  const wait = confirmationIn(state);
  const isWaitUnheard = wait?.state === 'failed' || wait?.state === 'cancelled';
  const question = isWaitUnheard ? wait?.key : spoken?.unheard === true ? generatorQuestionId(state) : null;
  const heard = { key: '', text: wait?.payload.say ?? '', heard: 'unheard', isOver: false } as const;
  return {
    ...state,
    ...(spoken === undefined ? {} : { position: { ...position, generator: generator as typeof position.generator } }),
    ...(question == null ? {} : { dialogue: { ...dialogue, put: { ...heard, question } } }),
    ...(isWaitUnheard ? { effects: { ...effects, [wait.key]: { ...wait, state: 'started' as const } } } : {}),
  };
}

/** Reads a stored state for display. Returns null for a value that `readState` refuses. */
export function readableState(stored: unknown): SessionState | null {
  try {
    return readState(stored);
  } catch (error) {
    if (error instanceof FlowError) return null;
    throw error;
  }
}

/** Returns stored members, and the defaults of members that older releases of this version lack. */
function membersOf(fresh: object, stored: unknown, place: string): Stored {
  const known: object = typeof stored === 'object' && stored !== null ? stored : {};
  const later: readonly string[] = addedLater;
  for (const name of Object.keys(fresh))
    if (!Object.hasOwn(known, name) && !later.includes(name))
      throw new FlowError(
        'state-unreadable',
        `the stored session lacks "${place}${name}". Export it and start a new one.`,
      );
  return Object.assign({}, fresh, known as Stored);
}

function versionOf(stored: unknown): number {
  const version = typeof stored === 'object' && stored !== null && 'stateVersion' in stored ? stored.stateVersion : 0;
  if (typeof version === 'number' && Number.isInteger(version) && version >= 1) return version;
  throw new FlowError('state-unreadable', 'the stored session has no state version. Export it and start a new one.');
}
