import { computed, signal } from '@preact/signals';
import type { FlowShown } from '../../../flow/picture/flow-shown.ts';
import type { SessionDetail, StepShown } from '../../protocol/session-shown.ts';
import type { StudioEvent } from '../../protocol.ts';

/** The shown session; null if there is none. */
export const openedSession = signal<SessionDetail | null>(null);

/** The number of the selected step; null follows the latest step. */
export const shownSeq = signal<number | null>(null);

/** The key that reveals personal values of the shown session; null while they are masked. */
export const revealKey = signal<string | null>(null);

/** The steps up to the selected one. */
export const shownSteps = computed<readonly StepShown[]>(() => {
  const steps = openedSession.value?.steps ?? [];
  const seq = shownSeq.value;
  return seq === null ? steps : steps.filter((step) => step.seq <= seq);
});

/** The selected step; null before the first one. */
export const shownStep = computed(() => shownSteps.value.at(-1) ?? null);

/** Flow versions that were loaded in addition to those of the session. */
export const knownFlows = signal<ReadonlyMap<string, FlowShown>>(new Map());

type SessionEvent = Extract<StudioEvent, { readonly type: 'session' | 'step' | 'told' | 'line' | 'turn' | 'swap' }>;

/** Applies an event of the shown session; ignores events of other sessions. */
export function takeSessionEvent(event: SessionEvent): void {
  const shown = openedSession.value;
  if (shown === null || event.data.sessionId !== shown.session.sessionId) return;
  const next = withEvent(shown, event);
  if (next !== shown) openedSession.value = next;
}

/** Returns the session after an event. Repeated events change nothing. */
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
