import { FlowError } from '../errors.ts';
import { actsOfOldReading, type OldReading } from './dialogue/old-reading.ts';
import { newSession, type SessionState, stateVersion } from './state.ts';

/** Turns a state of one version into one of the next. Named after what changed. */
export type Upgrade = (state: Record<string, unknown>) => Record<string, unknown>;

/** Version 2 remembers how a question is going and where values come from: an older session knows nothing of either. */
const withTalkState: Upgrade = (state) => {
  const fresh = newSession('');
  return { ...Object.fromEntries(addedInVersion2.map((key) => [key, fresh[key]])), ...state };
};

/** The fields that version 1 did not have. */
const addedInVersion2: readonly (keyof SessionState)[] = [
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

/** What version 2 did not have from its beginning: a session without it knows nothing of it. */
const addedLater: readonly (keyof SessionState)[] = [
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
];

/** What was read in the words of a turn that an older release began, as dialogue acts. */
function withUtterance(state: Record<string, unknown>): Record<string, unknown> {
  const words = state['words'];
  if (typeof words !== 'object' || words === null || !('reading' in words)) return state;
  const { reading, ...rest } = words;
  const utterance = reading === null ? null : actsOfOldReading(reading as OldReading); // Written by a release of that shape.
  return { ...state, words: { ...rest, utterance } };
}

/** `upgrades[n]` upgrades version n+1 to n+2. */
const upgrades: readonly Upgrade[] = [withTalkState];

/**
 * Reads a stored state, upgraded to this version. Throws `state-unreadable` for what is no state and `state-too-new`
 * for one that a newer release wrote: never a half-understood session; `session-unfit` for a run of a task flow.
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
  let state = stored as Record<string, unknown>; // versionOf has seen that it is an object.
  if (Object.hasOwn(state, 'taskFlow'))
    throw new FlowError('session-unfit', 'the session is a run of a task flow. Go on with it by "roomflow run".');
  for (const upgrade of known.slice(version - 1, current - 1)) state = upgrade(state);
  const fresh = newSession('');
  for (const key of addedLater) if (!Object.hasOwn(state, key)) state = { ...state, [key]: fresh[key] };
  for (const key of Object.keys(fresh))
    if (!Object.hasOwn(state, key))
      throw new FlowError('state-unreadable', `the stored session lacks "${key}". Export it and start a new one.`);
  state = withUtterance(state);
  // In the order of a new session, so that a state that was read is written as one that was folded.
  return { ...fresh, ...state, stateVersion: current } as SessionState; // Written by a release whose shape the upgrades know.
}

function versionOf(stored: unknown): number {
  const version = typeof stored === 'object' && stored !== null && 'stateVersion' in stored ? stored.stateVersion : 0;
  if (typeof version === 'number' && Number.isInteger(version) && version >= 1) return version;
  throw new FlowError('state-unreadable', 'the stored session has no state version. Export it and start a new one.');
}
