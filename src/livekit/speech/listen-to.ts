import { type llm, voice } from '@livekit/agents';
import type { CallOutput } from '../../engine/calls/call-output.ts';

/** The session events that a flow's agent listens to. */
export interface SessionListeners {
  /** A message of the caller became part of the history. */
  onCallerMessage(message: llm.ChatMessage): void;
  /** A message of the agent became part of the history, with its heard part. */
  onOwnMessage(message: llm.ChatMessage): void;
  /** A speech was created; called synchronously during its creation. */
  onSpeech(handle: voice.SpeechHandle): void;
  /** The recogniser reported the caller's language. */
  onLanguage(tag: string): void;
  onError(event: voice.ErrorEvent): void;
  onClose(): void;
  /** Returns the output of a call as the flow knows it. */
  outputOf(callId: string): CallOutput | undefined;
}

/** Listens to a session for a flow's agent; the returned function stops it. */
export function listenTo(session: voice.AgentSession, listeners: SessionListeners): () => void {
  const types = voice.AgentSessionEventTypes;
  // The flow limits a chain of moves; LiveKit's own limit would cut it at three.
  session.sessionOptions.maxToolSteps = Number.MAX_SAFE_INTEGER;
  const onItem = ({ item }: voice.ConversationItemAddedEvent): void => {
    if (item.type !== 'message') return;
    if (item.role === 'user') listeners.onCallerMessage(item);
    else if (item.role === 'assistant') listeners.onOwnMessage(item);
  };
  /** Adds the result of a tool that returned nothing because no reply follows it. */
  const onTools = ({ functionCalls, functionCallOutputs }: voice.FunctionToolsExecutedEvent): void => {
    for (const [index, call] of functionCalls.entries()) {
      const known = listeners.outputOf(call.callId);
      const output = functionCallOutputs[index];
      if (known !== undefined && output !== undefined) output.output = known.output;
    }
  };
  const onTranscribed = ({ isFinal, language }: voice.UserInputTranscribedEvent): void => {
    if (isFinal && language !== null) listeners.onLanguage(language);
  };
  const onSpeech = (event: voice.SpeechCreatedEvent): void => listeners.onSpeech(event.speechHandle);
  // Without a listener, an error event of LiveKit's session throws in the code that emits it.
  const onError = (event: voice.ErrorEvent): void => listeners.onError(event);
  const onClose = (): void => listeners.onClose();
  session.on(types.ConversationItemAdded, onItem);
  session.on(types.FunctionToolsExecuted, onTools);
  session.on(types.UserInputTranscribed, onTranscribed);
  session.on(types.SpeechCreated, onSpeech);
  session.on(types.Error, onError);
  session.on(types.Close, onClose);
  return () => {
    session.off(types.ConversationItemAdded, onItem);
    session.off(types.FunctionToolsExecuted, onTools);
    session.off(types.UserInputTranscribed, onTranscribed);
    session.off(types.SpeechCreated, onSpeech);
    session.off(types.Error, onError);
    session.off(types.Close, onClose);
  };
}
