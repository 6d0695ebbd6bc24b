import { voice } from '@livekit/agents';

/** A microphone without any sound: its caller is heard by other means, or is silent. */
export class OpenMicrophone extends voice.AudioInput {}
