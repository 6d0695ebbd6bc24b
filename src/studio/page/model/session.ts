import { computed, signal } from '@preact/signals';
import type { FlowShown } from '../../../picture/flow-shown.ts';
import type { SessionDetail, StepShown } from '../../protocol/session-shown.ts';
import type { StudioEvent } from '../../protocol.ts';

/** The session that is shown; null where none is. */
export const openedSession = signal<SessionDetail | null>(null);

/** The step that is looked at, by its seq; null for the latest, whatever comes. */
export const shownSeq = signal<number | null>(null);

/** What reveals the personal parts of the shown session; null while they are masked. */
export const revealKey = signal<string | null>(null);

/** The steps up to the one that is looked at. */
export const shownSteps = computed<readonly StepShown[]>(() => {
  const steps = openedSession.value?.steps ?? [];
  const seq = shownSeq.value;
  return seq === null ? steps : steps.filter((step) => step.seq <= seq);
});

/** The step that is looked at; null before the first. */
export const shownStep = computed(() => shownSteps.value.at(-1) ?? null);

/** Versions of flows that came to be known besides those of the session. */
export const knownFlows = signal<ReadonlyMap<string, FlowShown>>(new Map());

type SessionEvent = Extract<StudioEvent, { readonly type: 'session' | 'step' | 'told' | 'line' | 'turn' | 'swap' }>;

/** Takes what has happened in the shown session; what belongs to others is left alone. */
export function takeSessionEvent(event: SessionEvent): void {
  const shown = openedSession.value;
  if (shown === null || event.data.sessionId !== shown.session.sessionId) return;
  const next = withEvent(shown, event);
  if (next !== shown) openedSession.value = next;
}

/** A session and one thing more that has happened in it. What was taken before changes nothing. */
function withEvent(shown: SessionDetail, event: SessionEvent): SessionDetail {
  switch (event.type) {
    case 'session':
      return { ...shown, session: event.data };
    case 'step': {
      const last = shown.steps.at(-1)?.seq ?? 0;
      return event.data.seq <= last ? shown : { ...shown, steps: [...shown.steps, event.data] };
    }
    case 'told':
      return { ...shown, events: [...shown.events, event.data.event] };
    case 'line':
      return { ...shown, lines: replaced(shown.lines, event.data, ({ id }) => id) };
    case 'turn':
      return { ...shown, turns: replaced(shown.turns, event.data, ({ turnId }) => turnId) };
    case 'swap':
      return { ...shown, swaps: [...shown.swaps, event.data] };
  }
}

function replaced<Item>(items: readonly Item[], item: Item, idOf: (item: Item) => string): readonly Item[] {
  const at = items.findLastIndex((other) => idOf(other) === idOf(item));
  return at === -1 ? [...items, item] : items.with(at, item);
}
