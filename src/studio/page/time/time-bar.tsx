import type { JSX } from 'preact';
import type { StepShown } from '../../protocol/session-shown.ts';
import { api } from '../client/api.ts';
import { against } from '../model/against.ts';
import { openedSession, shownSeq, shownStep } from '../model/session.ts';
import { about, attempt, failure, openSession, sessions } from '../model/studio.ts';
import { isOlderThanFile, openAt } from '../model/view.ts';

/** The log as a time line with one position per signal, and the actions on a position. */
export function TimeBar(): JSX.Element | null {
  const session = openedSession.value;
  if (session === null || session.steps.length === 0) return null;
  const { steps } = session;
  const index = Math.max(
    steps.findIndex(({ seq }) => seq === shownStep.value?.seq),
    0,
  );
  const step = steps[index];
  const isLive = shownSeq.value === null;
  const go = (to: number): void => {
    const wanted = steps[Math.min(Math.max(to, 0), steps.length - 1)];
    if (wanted === undefined) return;
    shownSeq.value = wanted === steps.at(-1) ? null : wanted.seq;
  };
  return (
    <section class="time-bar" aria-label="Time">
      <div class="time-buttons" role="group" aria-label="Steps">
        <button type="button" class="icon" onClick={() => go(index - 1)} disabled={index === 0} aria-label="Step back">
          ‹
        </button>
        <button
          type="button"
          class="icon"
          onClick={() => go(index + 1)}
          disabled={index === steps.length - 1}
          aria-label="Step on"
        >
          ›
        </button>
      </div>
      <div class="time-line">
        <Marks steps={steps} shown={index} />
        <input
          type="range"
          aria-label="Position in the log"
          min={0}
          max={steps.length - 1}
          value={index}
          aria-valuetext={step === undefined ? '' : describe(step, index, steps.length)}
          onInput={(event) => go(Number(event.currentTarget.value))}
        />
      </div>
      <p class="time-text">
        <span class="num">{`${index + 1} / ${steps.length}`}</span>
        {step !== undefined && <code>{step.signal.type}</code>}
        <span class="dim">{step === undefined ? '' : clock(step.signal.at)}</span>
      </p>
      <div class="time-buttons">
        <button type="button" aria-pressed={isLive} onClick={() => go(steps.length - 1)}>
          {session.session.live === 'over' ? 'End' : 'Live'}
        </button>
        {about.value?.may.fork === true && (
          <>
            <button
              type="button"
              onClick={() => void fork(step, true)}
              title="A new conversation from this step, with the current file"
            >
              From here
            </button>
            {isOlderThanFile.value && (
              <button
                type="button"
                onClick={() => void fork(step, false)}
                title="A new conversation from this step, with the file as it was at this step"
              >
                From here, old file
              </button>
            )}
            <button
              type="button"
              onClick={() => void compare()}
              title="Finds the first step at which the current file takes another path"
            >
              Compare
            </button>
          </>
        )}
      </div>
      <Parting />
    </section>
  );
}

/** Marks the starts of turns and the first difference from the current file. */
function Marks({ steps, shown }: { readonly steps: readonly StepShown[]; readonly shown: number }): JSX.Element {
  const at = (index: number): number => (steps.length === 1 ? 0 : (index / (steps.length - 1)) * 100);
  const parting = against.value?.parting ?? null;
  return (
    <svg class="marks" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      {steps.map(({ seq, signal }, index) => {
        const kind = seq === parting?.seq ? 'parting' : (kinds[signal.type] ?? 'other');
        const isPast = index <= shown;
        return (
          <line key={seq} class={`${kind} ${isPast ? 'past' : ''}`} x1={at(index)} x2={at(index)} y1={0} y2={10} />
        );
      })}
    </svg>
  );
}

const kinds: Readonly<Record<string, string>> = {
  ...{ 'user:turn': 'turn', 'batch:settled': 'model', 'tool:called': 'tool', 'flow:swapped': 'swap' },
  ...{ 'session:started': 'turn', 'session:resumed': 'swap', 'session:ended': 'turn' },
} as const;

function Parting(): JSX.Element | null {
  const found = against.value;
  if (found === null) return null;
  const { parting } = found;
  const close = (
    <button
      type="button"
      class="icon"
      aria-label="Close"
      onClick={() => {
        against.value = null;
      }}
    >
      ×
    </button>
  );
  if (parting === null)
    return (
      <p class="parting same" role="status">
        <span>With the current file this conversation takes the same path at every step.</span>
        {close}
      </p>
    );
  const { seq, node, otherNode, differs, source } = parting;
  return (
    <p class="parting" role="status">
      <span>
        {`From step ${seq} on, the current file takes another path: `}
        <code>{node}</code>
        {' became '}
        <code>{otherNode}</code>
        {` (other ${differs.join(', ')}).`}
      </span>
      <button
        type="button"
        class="small"
        onClick={() => {
          shownSeq.value = seq;
        }}
      >
        Go there
      </button>
      {source !== null && (
        <button type="button" class="small" onClick={() => openAt(source)}>
          {`Line ${source.from}`}
        </button>
      )}
      {close}
    </p>
  );
}

async function fork(step: StepShown | undefined, withTodaysFile: boolean): Promise<void> {
  const session = openedSession.value?.session;
  if (session === undefined || step === undefined) return;
  const door = await attempt(() => api.fork(session.sessionId, { seq: step.seq, withTodaysFile }));
  if (door === null) return;
  shownSeq.value = null;
  await openSession(door.sessionId);
  if (door.why !== undefined) failure.value = door.why;
}

async function compare(): Promise<void> {
  const session = openedSession.value?.session;
  if (session === undefined || !sessions.value.has(session.sessionId)) return;
  const found = await attempt(() => api.against(session.sessionId));
  if (found !== null) against.value = found;
}

function describe({ signal, node }: StepShown, index: number, of: number): string {
  return `Step ${index + 1} of ${of}: ${signal.type}, in ${node === '' ? 'no node' : node}`;
}

function clock(at: number): string {
  return new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' });
}
