import { untracked, useSignal, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { about } from '../model/studio.ts';
import { begin, busy, callBack, hangUp, interrupt, sendKeys, sendWords, speak, standing } from './calls.ts';
import type { Voice } from '../voice/voice.ts';
import { voice, voiceTrouble } from './voice-call.ts';

/** The controls of a conversation: text, keys, microphone, hang-up and call back. */
export function Composer(): JSX.Element | null {
  const isKeypadOpen = useSignal(false);
  const now = standing.value;
  if (now === 'watching') return null;
  return (
    <div class="composer">
      {(busy.value ?? voiceTrouble.value) !== null && (
        <p class="dim small" role="status">
          {busy.value ?? voiceTrouble.value}
        </p>
      )}
      {(now === 'talking' || now === 'none') && <TextField />}
      {now === 'away' && (
        <p class="standing">
          <span>You hung up. The conversation is saved.</span>
          <button type="button" class="primary" disabled={busy.value !== null} onClick={() => void callBack('typed')}>
            Call back
          </button>
          <button
            {...{ type: 'button', 'aria-label': 'By voice, call back' }}
            disabled={busy.value !== null}
            onClick={() => void callBack('voice')}
          >
            By voice
          </button>
        </p>
      )}
      {now === 'elsewhere' && <p class="standing dim">This conversation is open in another process.</p>}
      {now === 'over' && (
        <p class="standing">
          <span>The call is over.</span>
          <button type="button" class="primary" disabled={busy.value !== null} onClick={() => void begin('typed')}>
            New conversation
          </button>
          <button
            {...{ type: 'button', 'aria-label': 'By voice, a new conversation' }}
            disabled={busy.value !== null}
            onClick={() => void begin('voice')}
          >
            By voice
          </button>
        </p>
      )}
      {now === 'talking' && (
        <div class="call-buttons" role="group" aria-label="Call">
          <VoiceButton />
          <button
            type="button"
            aria-expanded={isKeypadOpen.value}
            onClick={() => {
              isKeypadOpen.value = !isKeypadOpen.value;
            }}
          >
            Keys
          </button>
          {voice.value?.agentState.value === 'speaking' && (
            <button type="button" onClick={() => void interrupt()}>
              Interrupt
            </button>
          )}
          <button type="button" class="danger" onClick={() => void hangUp()}>
            Hang up
          </button>
        </div>
      )}
      {now === 'talking' && isKeypadOpen.value && <Keypad />}
      {now === 'talking' && voice.value === null && about.value !== null && (
        <details class="voice-note">
          <summary>{about.value.voice.by === 'livekit' ? 'Voice is available' : 'How to get voice'}</summary>
          <p>{about.value.voice.how}</p>
        </details>
      )}
    </div>
  );
}

function TextField(): JSX.Element {
  const text = useSignal('');
  const send = async (): Promise<void> => {
    const words = text.value.trim();
    if (words === '') return;
    text.value = '';
    const isTaken = await sendWords(words);
    if (!isTaken && text.value === '') text.value = words;
  };
  // Words sent while a conversation starts must not go to the previous one.
  const isDue = useSignal(false);
  useSignalEffect(() => {
    if (!isDue.value || busy.value !== null) return;
    isDue.value = false;
    void untracked(send);
  });
  return (
    <form
      class="say"
      onSubmit={(event) => {
        event.preventDefault();
        isDue.value = text.value.trim() !== '';
      }}
    >
      <input
        {...{ type: 'text', 'aria-label': 'What you say', placeholder: 'Say something…', autocomplete: 'off' }}
        maxLength={4000}
        value={text.value}
        onInput={(event) => {
          isDue.value = false; // An edited text was not sent.
          text.value = event.currentTarget.value;
        }}
      />
      <button type="submit" class="primary" disabled={text.value.trim() === ''}>
        Send
      </button>
    </form>
  );
}

function VoiceButton(): JSX.Element {
  const call = voice.value;
  if (call === null)
    return (
      <button
        type="button"
        disabled={busy.value !== null}
        onClick={() => void speak()}
        aria-label="Mic, continue by voice"
        title="Continue by voice"
      >
        Mic
      </button>
    );
  return (
    <button
      type="button"
      class="microphone on"
      aria-pressed={!call.isMuted.value}
      aria-label={`${stateOf(call)}, microphone`}
      title={call.isMuted.value ? 'Unmute the microphone' : 'Mute the microphone'}
      onClick={() => void call.mute(!call.isMuted.value)}
    >
      <span class="level" aria-hidden="true">
        <span style={{ transform: `scaleX(${call.level.value.toFixed(2)})` }} />
      </span>
      {stateOf(call)}
    </button>
  );
}

function stateOf(call: Voice): string {
  if (call.isMuted.value) return 'Muted';
  return call.agentState.value === '' ? 'Live' : call.agentState.value;
}

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'];

function Keypad(): JSX.Element {
  return (
    <div class="keypad" role="group" aria-label="Keys of the telephone">
      {keys.map((key) => (
        <button key={key} type="button" onClick={() => void sendKeys(key)}>
          {key}
        </button>
      ))}
    </div>
  );
}
