import { systemClock } from '../../../src/system.ts';
import type { Clock } from '../../../src/model/ports/time.ts';
import { noon } from '../../kernel/session.ts';

/**
 * The clock of the conversations: real timers, and always 2026-11-21, 12:00 UTC. Timers of a second or more take ten
 * times as long, so that a busy machine does not cause a filler.
 */
export const clockAtNoon: Clock = {
  now: () => noon,
  schedule: (ms, task) => systemClock.schedule(ms < 1_000 ? ms : ms * 10, task),
};
