import { computed, effect, signal } from '@preact/signals';
import type { FlowShown, SourceLines } from '../../../flow/picture/flow-shown.ts';
import { api } from '../client/api.ts';
import { knownFlows, openedSession, shownStep } from './session.ts';
import { flowNews } from './studio.ts';

/** The panes by the name of their tab. A narrow screen shows one at a time. */
export type Pane = 'talk' | 'graph' | 'file' | 'state' | 'turn' | 'node' | 'problems';

/** The pane in the middle. */
export const middle = signal<'graph' | 'file'>('graph');

/** The pane on the right. */
export const side = signal<'state' | 'turn' | 'node' | 'problems'>('state');

/** The pane on a narrow screen. */
export const narrow = signal<Pane>('talk');

/** Whether one pane is shown at a time. */
const narrowQuery = matchMedia('(max-width: 820px)');
export const isNarrow = signal(narrowQuery.matches);
narrowQuery.addEventListener('change', () => {
  isNarrow.value = narrowQuery.matches;
});

/** The node in the node pane; null for none. */
export const selectedNode = signal<string | null>(null);

/** The place for the editor; a new object each time, because the same place may be requested again. */
export const wantedPlace = signal<{ readonly file: string; readonly line: number; readonly column: number } | null>(
  null,
);

/** Shows a pane. */
export function show(pane: Pane): void {
  narrow.value = pane;
  if (pane === 'graph' || pane === 'file') middle.value = pane;
  else if (pane !== 'talk') side.value = pane;
}

/** Shows a node in the node pane. */
export function selectNode(id: string): void {
  selectedNode.value = id;
  show('node');
}

/** Opens the editor at a line. */
export function openAt({ file, from }: SourceLines, column = 1): void {
  wantedPlace.value = { file, line: from, column };
  show('file');
}

/** The drawn flow: the flow of the selected step, else the flow on disk. */
export const shownFlow = computed<FlowShown | null>(() => {
  const hash = shownStep.value?.flowHash;
  const onDisk = flowNews.value?.flow ?? null;
  if (hash === undefined || hash === '') return onDisk;
  if (onDisk?.hash === hash) return onDisk;
  return openedSession.value?.flows[hash] ?? knownFlows.value.get(hash) ?? null;
});

const asked = new Set<string>();

// Loads versions that were created while the page was open.
effect(() => {
  const hash = shownStep.value?.flowHash;
  if (hash === undefined || hash === '' || shownFlow.value !== null || asked.has(hash)) return;
  asked.add(hash);
  void api.flow(hash).then(
    (flow) => {
      knownFlows.value = new Map(knownFlows.value).set(hash, flow);
    },
    () => asked.delete(hash),
  );
});

/** Whether the session runs another version than the file on disk. */
export const isOlderThanFile = computed(() => {
  const [flow, onDisk] = [shownFlow.value, flowNews.value?.flow];
  return flow !== null && onDisk != null && flow.name === onDisk.name && flow.hash !== onDisk.hash;
});

/** The flow of the next conversation; null for the default. */
export const chosenFlow = signal<string | null>(null);

/** The theme: light, dark, or that of the system. */
export const theme = signal<'system' | 'light' | 'dark'>(readTheme());

effect(() => {
  document.documentElement.dataset['theme'] = theme.value;
  try {
    localStorage.setItem('roomflow-theme', theme.value);
  } catch {
    // The choice is then valid for this page only.
  }
});

function readTheme(): 'system' | 'light' | 'dark' {
  try {
    const kept = localStorage.getItem('roomflow-theme');
    return kept === 'light' || kept === 'dark' ? kept : 'system';
  } catch {
    return 'system';
  }
}
