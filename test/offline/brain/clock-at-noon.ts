import { systemClock } from '../../../src/system.ts';
import { noon } from '../../kernel/session.ts';

/** The clock of the conversations: real timers, and always 2026-11-21, 12:00 UTC. */
export const clockAtNoon = { ...systemClock, now: () => noon };
