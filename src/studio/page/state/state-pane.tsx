import { signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { SessionState } from '../../../kernel/state/state.ts';
import type { SlotValue } from '../../../kernel/state/knowledge.ts';
import { JsonView } from '../parts/json-view.tsx';
import { openedSession, revealKey } from '../model/session.ts';
import { about, attempt, openSession } from '../model/studio.ts';
import { shownFlow } from '../model/view.ts';
import { api } from '../client/api.ts';
import { foldFault, positionBefore, shownPosition } from '../time/positions.ts';
import { type Entry, entriesOf } from './diff.ts';
import { Inbox } from './inbox.tsx';
import { Section } from './section.tsx';

/** Whether personal values are shown. */
const isRevealed = signal(false);

/** The state of the session at the selected step, with the changes of that step. */
export function StatePane(): JSX.Element {
  const session = openedSession.value;
  const position = shownPosition.value;
  if (session === null) return <p class="empty">Start a conversation to see its state here.</p>;
  if (foldFault.value !== null) return <p class="empty">{`The state cannot be shown: ${foldFault.value}`}</p>;
  if (position === null) return <p class="empty">Loading…</p>;
  const { state, effects } = position;
  const before = positionBefore.value?.state ?? null;
  const open = Object.values(state.effects);
  const hasSlots = (shownFlow.value?.slots.length ?? 0) > 0;
  const isMasked = session.isMasked || !isRevealed.value;
  return (
    <div class="state-pane">
      <div class="pane-head">
        <p class="dim">
          {`${state.status} in `}
          <code>{state.position.node === '' ? '–' : state.position.node}</code>
          {` · turn ${state.turn.number} · visit ${state.position.visit}`}
        </p>
        <RevealButton isMasked={session.isMasked} />
      </div>
      {(hasSlots || Object.keys(state.knowledge.slots).length > 0) && (
        <Section title="Slots" count={Object.keys(state.knowledge.slots).length}>
          <Slots now={state.knowledge.slots} before={before?.knowledge.slots ?? null} isMasked={isMasked} />
        </Section>
      )}
      <Entries title="Variables" entries={entriesOf(state.knowledge.variables, before?.knowledge.variables ?? null)} />
      <Entries
        title="Results of nodes"
        entries={entriesOf(state.knowledge.outputs, before?.knowledge.outputs ?? null)}
      />
      {state.position.stack.length > 0 && (
        <Section title="Returns to" count={state.position.stack.length}>
          <ol class="rows">
            {state.position.stack.map((frame, index) => (
              <li key={index}>
                <code>{frame.node}</code>
                <span class="dim">{` ${frame.kind} of ${frame.flow.id}`}</span>
              </li>
            ))}
          </ol>
        </Section>
      )}
      {open.length > 0 && (
        <Section title="In progress" count={open.length}>
          <ul class="rows">
            {open.map((effect) => (
              <li key={effect.key} class={effects.some(({ key }) => key === effect.key) ? 'changed' : ''}>
                <details>
                  <summary>
                    <code>{effect.kind}</code>
                    <span class="dim">{` ${effect.state} · ${effect.node}`}</span>
                  </summary>
                  <JsonView value={isMasked ? masked : effect.payload} />
                </details>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Inbox session={session.session} />
      {!isMasked && <Everything state={state} />}
      {session.isMasked && <p class="dim small">Personal values are masked.</p>}
    </div>
  );
}

const masked = '[personal]';

/** The raw state of the kernel. */
function Everything({ state }: { readonly state: SessionState }): JSX.Element {
  const isOpen = useSignal(false);
  return (
    <details
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
      }}
    >
      <summary>Everything</summary>
      {isOpen.value && (
        <pre class="everything" tabIndex={0}>
          {JSON.stringify(state, null, 1)}
        </pre>
      )}
    </details>
  );
}

interface SlotsProps {
  readonly now: Readonly<Record<string, SlotValue>>;
  readonly before: Readonly<Record<string, SlotValue>> | null;
  readonly isMasked: boolean;
}

function Slots({ now, before, isMasked }: SlotsProps): JSX.Element {
  const declared = shownFlow.value?.slots ?? [];
  const entries = new Map(entriesOf(now, before).map((entry) => [entry.name, entry]));
  const names = [...new Set([...declared.map(({ name }) => name), ...entries.keys()])];
  return (
    <table class="slots">
      <thead class="sr-only">
        <tr>
          <th>Slot</th>
          <th>Value</th>
        </tr>
      </thead>
      <tbody>
        {names.map((name) => {
          const entry = entries.get(name);
          const slot = declared.find((one) => one.name === name);
          const isHidden = isMasked && slot?.isPersonal === true;
          return (
            <tr key={name} class={entry?.change ?? ''}>
              <th scope="row">
                {name}
                <span class="dim small">{slot === undefined ? '' : ` ${slot.type}${slot.isOptional ? '?' : ''}`}</span>
              </th>
              <td>
                {entry === undefined ? (
                  <span class="dim">–</span>
                ) : (
                  <SlotCell entry={entry as Entry & { readonly value: SlotValue }} isHidden={isHidden} />
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function SlotCell(props: { readonly entry: Entry & { readonly value: SlotValue }; readonly isHidden: boolean }) {
  const { entry, isHidden } = props;
  const { value, confirmed, source, grounded } = entry.value;
  const was = (entry.before as SlotValue | undefined)?.value;
  const isChanged = entry.change === 'changed' && JSON.stringify(was) !== JSON.stringify(value);
  return (
    <>
      {isChanged && <del>{isHidden ? '••••' : plain(was)}</del>}
      {entry.change === 'removed' ? <del>{isHidden ? '••••' : plain(value)}</del> : isHidden ? '••••' : plain(value)}
      {!confirmed && <span class="tag warn">not confirmed</span>}
      {grounded === false && <span class="tag warn">not said by the caller</span>}
      {source !== undefined && <span class="dim small">{` ${source.kind}`}</span>}
    </>
  );
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function Entries({ title, entries }: { readonly title: string; readonly entries: readonly Entry[] }) {
  if (entries.length === 0) return null;
  return (
    <Section title={title} count={entries.filter(({ change }) => change !== 'removed').length}>
      <ul class="rows">
        {entries.map(({ name, value, change, before }) => (
          <li key={name} class={change ?? ''}>
            <code>{name}</code> {change === 'changed' && <del>{brief(before)}</del>}{' '}
            {change === 'removed' ? <del>{brief(value)}</del> : <JsonView value={value} depth={1} />}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function brief(value: unknown): string {
  const text = plain(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function RevealButton({ isMasked }: { readonly isMasked: boolean }): JSX.Element | null {
  if (isMasked) {
    if (about.value?.may.reveal !== true) return null;
    return (
      <button type="button" class="small" onClick={() => void revealAll()}>
        Reveal (is logged)
      </button>
    );
  }
  return (
    <button
      type="button"
      class="small"
      title="Values of slots that the flow marks as personal"
      onClick={() => {
        isRevealed.value = !isRevealed.value;
      }}
    >
      {isRevealed.value ? 'Mask' : 'Reveal'}
    </button>
  );
}

/** The server records who revealed what. */
async function revealAll(): Promise<void> {
  const id = openedSession.value?.session.sessionId;
  if (id === undefined) return;
  const revealed = await attempt(() => api.reveal(id, {}));
  if (revealed === null) return;
  revealKey.value = revealed.key;
  await openSession(id);
  isRevealed.value = true;
}
