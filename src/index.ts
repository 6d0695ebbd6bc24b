// Write: a flow, its functions, an agent's configuration.
export { defineConfig } from './config.ts';
export type { AgentConfig } from './config.ts';
export { defineFlow } from './flow/define.ts';
export type { ConversationDocument, ConversationFlow, FlowConfig } from './flow/document.ts';
export type { FunctionRef } from './flow/function.ts';
export type { ContextStrategy, Node } from './flow/node.ts';
export type { TaskFlow } from './flow/task-document.ts';
export type {
  ActiveFlowState,
  FlowContext,
  FlowDefinition,
  FlowResumeInput,
  FlowReturn,
  FlowYield,
  GeneratorFlow,
  ToolOutcome,
} from './flow/generator.ts';
export { ask, end, handoff, say, tool } from './flow/generator-yields.ts';
export type { Command, CommandContext, CommandOutcome, Commands } from './turn/commands.ts';
export type { BeforeLLMDecision, BeforeResponseDecision } from './turn/decisions.ts';
export type {
  AgentContext,
  BeforeLLMInput,
  BeforeResponseInput,
  Hooks,
  OnHookError,
  ResponseMeta,
  ResponseSource,
  StructuredReply,
} from './turn/hooks.ts';
export type { DetectorRouter, RouteRule, RouterConfig, RulesRouter, SchemaIntentRouter } from './turn/router.ts';
export { flowTool } from './session/tools/flow-tool.ts';
export type { FlowToolContext, FlowToolOptions } from './session/tools/flow-tool.ts';
export { next } from './session/tools/next.ts';
export type { NextNode, ValueAndNext } from './session/tools/next.ts';
export type { FunctionTool } from './session/tools/function-tool.ts';
export type { Handler } from './session/tools/run-function.ts';

// Run: a flow on a LiveKit session.
export { createFlowRunner } from './runner/create-flow-runner.ts';
export type { FlowInstance, FlowInstanceOptions, FlowRunResult } from './runner/flow-instance.ts';
export { createTerminalChannel } from './channels/terminal.ts';
export type { TerminalChannelOptions } from './channels/terminal.ts';
export { createVoiceChannel } from './channels/voice.ts';
export type { VoiceChannelOptions } from './channels/voice.ts';
export { createWebSocketChannel } from './channels/websocket.ts';
export type { ChannelSocket, WebSocketChannel, WebSocketChannelOptions } from './channels/websocket.ts';
export type { ClientFrame, ServerFrame } from './channels/websocket-frames.ts';
export { serveChannel } from './channels/serve-channel.ts';
export type { ServeChannelOptions, ServedChannel } from './channels/serve-channel.ts';
export { FlowRunner } from './runner/flow-runner.ts';
export type { FlowRunnerOptions } from './runner/options.ts';
export { OfflineBrain } from './session/brain/offline-brain.ts';
export { FlowError } from './errors.ts';
export type { Event, EventType } from './events/event.ts';
export type { SessionState } from './kernel/state.ts';

// Extend: node types of one's own, other stores and clocks, tools over the compiled graph.
export { createCatalog } from './graph/catalog.ts';
export { defineNodeType } from './graph/node-type.ts';
export type { NodeType } from './graph/node-type.ts';
export type { Graph } from './graph/graph.ts';
export { builtinCatalog } from './nodes/builtin.ts';
export type { Answer, Channel, ChannelRun, SendOutcome } from './ports/channel.ts';
export { modelPort } from './session/model/model-port.ts';
export { openStore } from './durable/open-store.ts';
export { createDurableStore } from './durable/durable-store.ts';
export { createWaitRegistry } from './durable/wait-registry.ts';
export { createOutboxDispatcher } from './durable/outbox-dispatcher.ts';
export type { DurableStore, OutboxDispatcher, OutboxIntent, Store, WaitRecord, WaitRegistry } from './ports/store.ts';
export { systemClock } from './session/system.ts';
export type { Clock, Ids, Random } from './ports/time.ts';

// Check: a flow before it runs.
export { checkFlow } from './runner/check-flow.ts';
export { loadFlow } from './load/load-flow.ts';
export { formatDiagnostic } from './flow/diagnostic.ts';
export type { Diagnostic } from './flow/diagnostic.ts';
