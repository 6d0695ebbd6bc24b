// `roomflow/offline`: a model, ears and a voice that need no network. Loads @livekit/agents.
export { OfflineBrain } from './session/brain/offline-brain.ts';
export { createOfflineStt } from './session/offline-speech/offline-stt.ts';
export { createOfflineTts } from './session/offline-speech/offline-tts.ts';
export type { OfflineVoice } from './session/offline-speech/offline-tts.ts';
