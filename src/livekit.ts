// `roomflow/livekit`: runs a flow on LiveKit Agents. Loads @livekit/agents.

// Write: the functions that a flow names.
export { flowTool } from './livekit/tools/flow-tool.ts';
export type { FlowTool, FlowToolContext, FlowToolOptions } from './livekit/tools/flow-tool.ts';
export type { FunctionTool } from './livekit/tools/function-tool.ts';
export type { Handler } from './livekit/tools/run-function.ts';

// Run: a conversation on an AgentSession, or one run of any flow.
export { FlowRunner } from './runner/flow-runner.ts';
export type { ConversationOutcome } from './runner/outcomes/conversation-outcome.ts';
export type {
  AgentOptions,
  FlowRunnerOptions,
  HostOptions,
  SettingsOptions,
} from './runner/options/flow-runner-options.ts';
export { createFlowRun, createFlowRunner } from './runner/create-flow-run.ts';
export type { FlowInstance, FlowRun, FlowRunOptions, FlowRunResult } from './runner/flow-run.ts';
export { modelPort } from './livekit/model/model-port.ts';

// Attach: how people hear and answer a run.
export { createTerminalChannel } from './livekit/channels/terminal.ts';
export type { TerminalChannelOptions } from './livekit/channels/terminal.ts';
export { createVoiceChannel } from './livekit/channels/voice.ts';
export type { VoiceChannelOptions } from './livekit/channels/voice.ts';
export { createWebSocketChannel } from './livekit/channels/websocket.ts';
export type { ChannelSocket, WebSocketChannel, WebSocketChannelOptions } from './livekit/channels/websocket.ts';
export type { ClientFrame, ServerFrame } from './livekit/channels/websocket-frames.ts';
export { serveChannel } from './livekit/channels/serve-channel.ts';
export type { ServeChannelOptions, ServedChannel } from './livekit/channels/serve-channel.ts';
export type { Answer, Channel, ChannelRun, SendOutcome } from './model/ports/channel.ts';
export type { TransferEnd, Transfers } from './model/ports/transfers.ts';
export type { TransferOutcome, TransferPayload } from './model/transfer.ts';
