import { FlowError } from '../../model/errors.ts';
import { actsOfOldReading, type OldReading } from '../dialogue/old-reading.ts';
import { newSession, type SessionState, stateVersion } from './state.ts';

/** Converts a state from one version to the next. Named after the change. */
export type Upgrade = (state: Record<string, unknown>) => Record<string, unknown>;

/** Version 2 adds the progress of questions and the origin of values; older sessions get the defaults. */
const withTalkState: Upgrade = (state) => {
  const fresh = newSession('');
  return { ...Object.fromEntries(addedInVersion2.map((key) => [key, fresh[key]])), ...state };
};

/** Members that version 1 lacks. */
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

/** Members added during version 2; sessions without them get the defaults. */
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
  'talk',
];

/** Converts the reading of a turn by an older release to dialogue acts. */
function withUtterance(state: Record<string, unknown>): Record<string, unknown> {
  const words = state['words'];
  if (typeof words !== 'object' || words === null || !('reading' in words)) return state;
  const { reading, ...rest } = words;
  const utterance = reading === null ? null : actsOfOldReading(reading as OldReading); // Written by a release with that shape.
  return { ...state, words: { ...rest, utterance } };
}

/** `upgrades[n]` upgrades version n+1 to n+2. */
const upgrades: readonly Upgrade[] = [withTalkState];

/**
 * Reads a stored state and upgrades it to this version. Throws `state-unreadable` for a value that is not a state,
 * `state-too-new` for a state of a newer release, and `session-unfit` for a run of a task flow. Never returns a partly
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
  let state = stored as Record<string, unknown>; // versionOf has checked that it is an object.
  if (Object.hasOwn(state, 'taskFlow'))
    throw new FlowError('session-unfit', 'the session is a run of a task flow. Continue it with "roomflow run".');
  for (const upgrade of known.slice(version - 1, current - 1)) state = upgrade(state);
  const fresh = newSession('');
  for (const key of addedLater) if (!Object.hasOwn(state, key)) state = { ...state, [key]: fresh[key] };
  for (const key of Object.keys(fresh))
    if (!Object.hasOwn(state, key))
      throw new FlowError('state-unreadable', `the stored session lacks "${key}". Export it and start a new one.`);
  state = withUtterance(state);
  // In the member order of a new session, so a loaded state serializes like a folded one.
  return { ...fresh, ...state, stateVersion: current } as SessionState; // The upgrades cover the shape of every older release.
}

function versionOf(stored: unknown): number {
  const version = typeof stored === 'object' && stored !== null && 'stateVersion' in stored ? stored.stateVersion : 0;
  if (typeof version === 'number' && Number.isInteger(version) && version >= 1) return version;
  throw new FlowError('state-unreadable', 'the stored session has no state version. Export it and start a new one.');
}
