import { type llm, voice } from '@livekit/agents';
import type { CallOutput } from '../../turn/calls/call-output.ts';

/** The events of a session that a flow's agent listens to. */
export interface SessionListeners {
  /** A message of the caller became part of the history. */
  onCallerMessage(message: llm.ChatMessage): void;
  /** A message of the agent became part of the history; it holds what was heard. */
  onOwnMessage(message: llm.ChatMessage): void;
  /** A speech was created; told in the very call that creates it. */
  onSpeech(handle: voice.SpeechHandle): void;
  /** The recogniser has told in which language the caller speaks. */
  onLanguage(tag: string): void;
  onError(event: voice.ErrorEvent): void;
  onClose(): void;
  /** The output of a call as the flow knows it. */
  outputOf(callId: string): CallOutput | undefined;
}

/** Lets an agent of a flow listen to its session; undone by the returned function. */
export function listenTo(session: voice.AgentSession, listeners: SessionListeners): () => void {
  const types = voice.AgentSessionEventTypes;
  // A chain of moves is bounded by the flow; LiveKit's own bound would cut it at three.
  session.sessionOptions.maxToolSteps = Number.MAX_SAFE_INTEGER;
  const onItem = ({ item }: voice.ConversationItemAddedEvent): void => {
    if (item.type !== 'message') return;
    if (item.role === 'user') listeners.onCallerMessage(item);
    else if (item.role === 'assistant') listeners.onOwnMessage(item);
  };
  /** A tool that returned nothing, because nothing is said after it, has a result all the same. */
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
