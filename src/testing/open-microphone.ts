import { voice } from '@livekit/agents';

/** A microphone that brings no sound by itself: whoever speaks into it is heard by other means, or is silent. */
export class OpenMicrophone extends voice.AudioInput {}
