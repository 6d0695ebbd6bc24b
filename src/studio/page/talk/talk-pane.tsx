import { useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { TalkLine } from '../../protocol/session-shown.ts';
import { openedSession, shownSeq, shownStep } from '../model/session.ts';
import { about } from '../model/studio.ts';
import { answering, begin, busy, standing } from './calls.ts';
import { Composer } from './composer.tsx';
import { Line } from './line.tsx';
import { hearing, saying, voice } from './voice-call.ts';

/** The conversation and its controls. */
export function TalkPane(): JSX.Element {
  const session = openedSession.value;
  const log = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  /** The last scroll position set by the page; a smaller one was set by the user. */
  const ownTop = useRef(0);
  useSignalEffect(() => {
    // Subscribes to these signals.
    void openedSession.value?.lines;
    void hearing.value;
    void saying.value;
    requestAnimationFrame(() => {
      const element = log.current;
      if (element === null || !isAtEnd.current) return;
      element.scrollTop = element.scrollHeight;
      ownTop.current = element.scrollTop;
    });
  });
  const lines = session?.lines ?? [];
  return (
    <div class="talk-pane">
      <div
        {...{ class: 'talk-log', role: 'log', 'aria-label': 'Conversation', tabIndex: 0 }}
        ref={log}
        aria-busy={answering.value > 0}
        onScroll={({ currentTarget: element }) => {
          if (element.scrollHeight - element.scrollTop - element.clientHeight < 40) isAtEnd.current = true;
          else if (element.scrollTop < ownTop.current - 4) isAtEnd.current = false;
        }}
      >
        {session === null ? (
          <Welcome />
        ) : (
          lines.map((line) => (
            <Line key={line.id} line={line} session={session.session} isPast={isPast(line)} isFuture={isFuture(line)} />
          ))
        )}
        {saying.value !== '' && !isShown(lines) && (
          <p class="line saying" aria-hidden="true">
            {saying.value}
          </p>
        )}
        {hearing.value !== '' && <p class="line caller hearing">{hearing.value}</p>}
        {session !== null && lines.length === 0 && <p class="empty">Nothing has been said yet.</p>}
      </div>
      <Composer />
    </div>
  );
}

/** Fixed lines are in the log from their start, replies of a model after they were spoken. */
function isShown(lines: readonly TalkLine[]): boolean {
  const last = lines.findLast(({ who }) => who === 'agent');
  return last?.state === 'open' && last.text !== '';
}

function isPast({ seq }: TalkLine): boolean {
  return seq !== undefined && seq === shownSeq.value;
}

/** Whether a line was spoken after the selected step. */
function isFuture({ seq, at }: TalkLine): boolean {
  if (shownSeq.value === null) return false;
  return seq === undefined ? at > (shownStep.value?.signal.at ?? at) : seq > shownSeq.value;
}

function Welcome(): JSX.Element {
  const offer = about.value?.voice;
  if (standing.value === 'watching')
    return (
      <p class="empty">Choose a conversation above. This studio shows stored conversations and changes nothing.</p>
    );
  return (
    <div class="welcome">
      <h2 class="title">Talk to your flow</h2>
      <p class="dim">
        Type below, or start by voice. The graph follows the call, and a saved file changes the open call.
      </p>
      <div class="welcome-buttons">
        <button type="button" class="primary" disabled={busy.value !== null} onClick={() => void begin('voice')}>
          Speak
        </button>
        <button type="button" disabled={busy.value !== null} onClick={() => void begin('typed')}>
          Type
        </button>
      </div>
      {offer !== undefined && <p class="dim small">{offer.how}</p>}
      {voice.value !== null && <p class="dim">Connected.</p>}
    </div>
  );
}
