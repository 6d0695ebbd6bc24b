import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { SessionShown } from '../protocol/session-shown.ts';
import { api } from './client/api.ts';
import { EditorPane } from './editor/editor-pane.tsx';
import { isDirty } from './editor/files.ts';
import { GraphPane } from './graph/graph-pane.tsx';
import { openedSession, shownSeq } from './model/session.ts';
import {
  about,
  attempt,
  connection,
  dismissTroubles,
  failure,
  fatal,
  flowNews,
  openSession,
  sessionList,
  troubles,
} from './model/studio.ts';
import { chosenFlow, isNarrow, middle, narrow, type Pane, show, side, theme } from './model/view.ts';
import { NodePane } from './node/node-pane.tsx';
import { KeysHelp } from './parts/keys-help.tsx';
import { Dismiss } from './parts/dismiss.tsx';
import { problemCount } from './problems/checked.ts';
import { ProblemsPane } from './problems/problems-pane.tsx';
import { StatePane } from './state/state-pane.tsx';
import { begin, busy } from './talk/calls.ts';
import { SavedTestMessage, SaveTestButton } from './talk/save-test.tsx';
import { TalkPane } from './talk/talk-pane.tsx';
import { voice } from './talk/voice-call.ts';
import { TimeBar } from './time/time-bar.tsx';
import { TurnPane } from './turn/turn-pane.tsx';

/** The page: panes side by side, or one at a time on a narrow screen. */
export function App(): JSX.Element {
  if (fatal.value !== null)
    return (
      <main class="fatal">
        <h1>Roomflow studio</h1>
        <p role="alert">{fatal.value}</p>
      </main>
    );
  return (
    <div class={`studio ${isNarrow.value ? 'narrow' : 'wide'}`}>
      <Header />
      <div class="notices">
        <Messages />
        <SavedTestMessage />
      </div>
      {isNarrow.value ? <NarrowPanes /> : <WidePanes />}
      <TimeBar />
      {isNarrow.value && <NarrowTabs />}
    </div>
  );
}

function Header(): JSX.Element {
  const news = flowNews.value;
  const canTalk = about.value?.may.talk === true;
  const session = openedSession.value;
  return (
    <header>
      <h1>
        <span class="mark" aria-hidden="true" />
        Roomflow <span class="sr-only">studio</span>
      </h1>
      {news !== null && (
        <p class="flow-name" title={news.file ?? 'written in code'}>
          {news.name}
          {!news.isSound && <span class="tag error">broken</span>}
        </p>
      )}
      {canTalk && <FlowSelect />}
      <SessionSelect />
      <p class={`connection ${connection.value}`} role="status">
        {connectionText()}
      </p>
      <div class="header-buttons">
        {session !== null && about.value?.may.saveTest === true && (
          <SaveTestButton sessionId={session.session.sessionId} />
        )}
        <KeysHelp />
        <ThemeButton />
        {canTalk && (
          <button type="button" class="primary" disabled={busy.value !== null} onClick={() => void begin('typed')}>
            New<span class="wide-only"> conversation</span>
          </button>
        )}
      </div>
    </header>
  );
}

function connectionText(): string {
  if (connection.value === 'lost') return 'Connection lost, trying again…';
  if (connection.value === 'refused') return 'Open the address that roomflow printed again.';
  return voice.value === null ? '' : voice.value.by === 'room' ? 'In the room' : 'Speech of the browser';
}

/** Selects the flow to look at and to talk to next, if there are several. */
function FlowSelect(): JSX.Element | null {
  const flows = about.value?.flows ?? [];
  if (flows.length < 2) return null;
  return (
    <label class="field flows">
      <span class="sr-only">Flow of the next conversation</span>
      <select
        title="Flow of the next conversation"
        value={chosenFlow.value ?? flows[0]}
        onChange={(event) => {
          const flow = event.currentTarget.value;
          chosenFlow.value = flow;
          void attempt(() => api.show({ flow }));
        }}
      >
        {flows.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function SessionSelect(): JSX.Element | null {
  const list = sessionList.value;
  if (list.length === 0) return null;
  return (
    <label class="field sessions">
      <span class="sr-only">Conversation</span>
      <select
        value={openedSession.value?.session.sessionId ?? ''}
        onChange={(event) => {
          shownSeq.value = null;
          void openSession(event.currentTarget.value);
        }}
      >
        {openedSession.value === null && <option value="">Choose a conversation</option>}
        {list.map((session) => (
          <option key={session.sessionId} value={session.sessionId}>
            {`${session.title} · ${standingText(session)}`}
          </option>
        ))}
      </select>
    </label>
  );
}

function standingText({ live, node, status }: SessionShown): string {
  if (live === 'over') return status === 'ended' ? `ended in ${node}` : `over, in ${node}`;
  return live === 'away' ? `hung up in ${node}` : `in ${node}`;
}

const nextTheme = { system: 'dark', dark: 'light', light: 'system' } as const;

function ThemeButton(): JSX.Element {
  return (
    <button
      type="button"
      class="icon theme"
      aria-label={`Theme: ${theme.value}`}
      title={`Theme: ${theme.value}`}
      onClick={() => {
        theme.value = nextTheme[theme.value];
      }}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" stroke-width="1.5" />
        <path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" />
      </svg>
    </button>
  );
}

/** Shows errors until they are dismissed. */
function Messages(): JSX.Element | null {
  const trouble = troubles.value.at(-1);
  const text = failure.value ?? trouble?.message ?? null;
  const notes = about.value?.notes ?? [];
  const isNoted = useSignal(false);
  if (text === null && (notes.length === 0 || isNoted.value)) return null;
  if (text === null)
    return (
      <div class="message note" role="status">
        <p>{notes.join(' ')}</p>
        <Dismiss
          onClick={() => {
            isNoted.value = true;
          }}
        />
      </div>
    );
  return (
    <div class="message" role="alert">
      <p>{text}</p>
      <Dismiss onClick={dismissTroubles} />
    </div>
  );
}

const panes: Record<Pane, { readonly title: string; readonly Content: () => JSX.Element }> = {
  talk: { title: 'Talk', Content: TalkPane },
  graph: { title: 'Graph', Content: GraphPane },
  file: { title: 'File', Content: EditorPane },
  state: { title: 'State', Content: StatePane },
  turn: { title: 'Turn', Content: TurnPane },
  node: { title: 'Node', Content: NodePane },
  problems: { title: 'Problems', Content: ProblemsPane },
};

function WidePanes(): JSX.Element {
  const mayEdit = about.value?.may.edit === true;
  return (
    <main>
      <section class="pane talk" aria-label="Talk">
        <TalkPane />
      </section>
      <Tabbed name="Flow" tabs={mayEdit ? ['graph', 'file'] : ['graph']} chosen={middle.value} />
      <Tabbed name="Details" tabs={['state', 'turn', 'node', 'problems']} chosen={side.value} />
    </main>
  );
}

interface TabbedProps {
  readonly name: string;
  readonly tabs: readonly Pane[];
  readonly chosen: Pane;
}

function Tabbed({ name, tabs, chosen }: TabbedProps): JSX.Element {
  const { Content } = panes[chosen];
  return (
    <section class={`pane tabbed ${name.toLowerCase()}`} aria-label={name}>
      <TabList name={name} tabs={tabs} chosen={chosen} />
      <Panel pane={chosen}>
        <Content />
      </Panel>
    </section>
  );
}

function Panel({ pane, children }: { readonly pane: Pane; readonly children: ComponentChildren }): JSX.Element {
  return (
    <div class={`panel ${pane}`} role="tabpanel" id={`panel-${pane}`} aria-labelledby={`tab-${pane}`} tabIndex={0}>
      {children}
    </div>
  );
}

/** A single tab stop; arrow keys move between tabs. */
function TabList({ name, tabs, chosen }: TabbedProps): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const next = tabs[(tabs.indexOf(chosen) + step + tabs.length) % tabs.length];
    if (next === undefined) return;
    show(next);
    list.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={name} ref={list} onKeyDown={move}>
      {tabs.map((pane) => (
        <button
          key={pane}
          {...{ type: 'button', role: 'tab', id: `tab-${pane}`, tabIndex: pane === chosen ? 0 : -1 }}
          aria-selected={pane === chosen}
          aria-controls={pane === chosen ? `panel-${pane}` : undefined}
          onClick={() => show(pane)}
        >
          {panes[pane].title}
          {pane === 'problems' && problemCount.value > 0 && <span class="count">{problemCount.value}</span>}
          {pane === 'file' && isDirty.value && <span class="dot" aria-label="not saved" role="img" />}
        </button>
      ))}
    </div>
  );
}

function NarrowPanes(): JSX.Element {
  const { Content } = panes[narrow.value];
  return (
    <main>
      <section class={`pane ${narrow.value}`} aria-label={panes[narrow.value].title}>
        <Panel pane={narrow.value}>
          <Content />
        </Panel>
      </section>
    </main>
  );
}

function NarrowTabs(): JSX.Element {
  const all: readonly Pane[] = ['talk', 'graph', 'state', 'turn', 'node', 'problems', 'file'];
  const tabs = about.value?.may.edit === true ? all : all.filter((pane) => pane !== 'file');
  return (
    <nav aria-label="Panes">
      <TabList name="Panes" tabs={tabs} chosen={narrow.value} />
    </nav>
  );
}
