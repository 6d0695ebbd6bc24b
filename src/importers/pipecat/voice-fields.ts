/** Checks whether a field configures a voice or speech recognition in the frameworks whose flows are read. */
export function isVoiceField(key: string): boolean {
  const name = key.replaceAll(/(?<=[a-z\d])[A-Z]/g, '_$&').toLowerCase();
  return name !== 'tts_say' && (VOICE_FAMILY.test(name) || VOICE_FIELDS.has(name));
}

/** The word itself or the first of several, so that `voice_id` matches and `voices_of_customers` does not. */
const VOICE_FAMILY = /^(?:voice|tts|stt|asr|vad|audio|speech|transcriber)(?:_|$)/;

const VOICE_FIELDS: ReadonlySet<string> = new Set([
  'allow_interruptions',
  'ambient_sound',
  'background_audio',
  'background_noise',
  'background_sound',
  'backchannel_frequency',
  'backchannel_words',
  'custom_stt_config',
  'denoising_mode',
  'enable_backchannel',
  'enable_typing_sound',
  'interruption_sensitivity',
  'noise_cancellation',
  'normalize_for_speech',
  'pronunciation_dictionary',
  'responsiveness',
  'sample_rate',
  'turn_detection',
]);
