// `roomflow/offline`: a model, a recogniser and a voice that need no network. Loads @livekit/agents.
export { OfflineBrain } from './offline/brain/offline-brain.ts';
export { createOfflineStt } from './offline/ears/offline-stt.ts';
export { createOfflineTts } from './offline/voice/offline-tts.ts';
export type { OfflineVoice } from './offline/voice/offline-tts.ts';
