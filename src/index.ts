// `roomflow`: everything about a flow that needs no LiveKit. Nothing here loads a file of @livekit.

// Write: a flow, its functions, an agent's configuration.
export { createAgent, defineConfig } from './define-config.ts';
export type { AgentConfig } from './config.ts';
export type { Actor, ActorRequest, Can, ResolveActor } from './people/authority.ts';
export { defineFlow } from './flow/define.ts';
export type { ConversationDocument, ConversationFlow, FlowConfig } from './flow/document.ts';
export type { FunctionRef } from './flow/function.ts';
export type { ContextStrategy, Node } from './flow/node.ts';
export type { TaskFlow } from './flow/task-document.ts';
export type {
  ActiveFlowState,
  ConfirmOptions,
  DeadlineOptions,
  EscalateOptions,
  FlowContext,
  FlowDefinition,
  FlowResumeInput,
  FlowReturn,
  FlowYield,
  GeneratorFlow,
  ToolOutcome,
  WaitOptions,
} from './flow/generator.ts';
export { ask, end, handoff, interrupt, say, tool } from './flow/generator-yields.ts';
export { next } from './livekit/tools/next.ts';
export type { NextNode, ValueAndNext } from './livekit/tools/next.ts';
export type { Command, CommandContext, CommandOutcome, Commands } from './turn/engine/commands.ts';
export type { BeforeLLMDecision, BeforeResponseDecision } from './turn/policy/decisions.ts';
export type {
  AgentContext,
  BeforeLLMInput,
  BeforeResponseInput,
  Hooks,
  OnHookError,
  ResponseMeta,
  ResponseSource,
  StructuredReply,
} from './turn/policy/hooks.ts';
export type { DetectorRouter, RouteRule, RouterConfig, RulesRouter, SchemaIntentRouter } from './turn/policy/router.ts';

// Check: a flow before it runs.
export { checkFlow } from './runner/check-flow.ts';
export type { CheckFlowOptions, FlowCheck } from './load/check-flow.ts';
export { load_flow, loadFlow } from './load/load-flow.ts';
export { FlowInvalidError } from './load/flow-invalid-error.ts';
export { formatDiagnostic } from './flow/diagnostic.ts';
export type { Diagnostic } from './flow/diagnostic.ts';
export { FlowError } from './errors.ts';
export type { FlowErrorCode } from './error-codes.ts';
export type { Graph } from './graph/graph.ts';

// Fold: one signal after the other, and a stored session again.
export { step } from './kernel/step.ts';
export type { Step } from './kernel/step.ts';
export { newSession } from './kernel/state.ts';
export type { SessionState } from './kernel/state.ts';
export { replaySession } from './runner/replay-session.ts';
export type { ReplayOptions } from './runner/replay-session.ts';
export type { Effect, EffectKey, SharedEffectKind } from './events/effect.ts';
export type { Event, EventType } from './events/event.ts';
export type { AuditRecord, InboxEntry } from './events/inbox.ts';
export type { Json, JsonObject } from './events/json.ts';
export type { Signal } from './events/signal.ts';
export { spanName } from './events/turn-trace.ts';
export type { TokenCount, TurnMoments, TurnOutcome, TurnSpan, TurnTrace } from './events/turn-trace.ts';

// Extend: custom node types, stores, timekeepers and clocks.
export { createCatalog } from './graph/catalog.ts';
export { defineNodeType } from './graph/node-type.ts';
export type { NodeType } from './graph/node-type.ts';
export { builtinCatalog } from './nodes/builtin.ts';
export { openStore } from './durable/open-store.ts';
export { createDurableStore } from './durable/durable-store.ts';
export { createWaitRegistry } from './durable/wait-registry.ts';
export { createOutboxDispatcher } from './durable/outbox-dispatcher.ts';
export type { InboxStore, NewAuditRecord, StoredEntry } from './ports/inbox.ts';
export type {
  DurableStore,
  EffectOf,
  KeptCall,
  Lease,
  LoggedSignal,
  HeldCall,
  LostCall,
  OpenEffect,
  OpenEffectQuery,
  OutboxDispatcher,
  OutboxIntent,
  SessionSnapshot,
  SessionSummary,
  StepCommit,
  Store,
  WaitRecord,
  WaitRegistry,
} from './ports/store.ts';
export type { SqlTransaction, Timekeeper } from './ports/timekeeper.ts';
export { systemClock } from './system.ts';
export type { Clock, Ids, Random } from './ports/time.ts';
