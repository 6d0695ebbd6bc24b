import { createHmac, randomBytes } from 'node:crypto';

/**
 * Creates pseudonyms for telephone numbers, so that lines of one call can be matched without the number. They are
 * the same in every process with the key of the LiveKit server; without the key they last as long as the process.
 */
export function telephoneNames(env: NodeJS.ProcessEnv): (telephone: string) => string {
  const secret = env['LIVEKIT_API_SECRET'] ?? '';
  const key = secret === '' ? randomBytes(32) : secret;
  return (telephone) => {
    const digits = telephone.replaceAll(/\D/g, '');
    return `tel-${createHmac('sha256', key).update(digits).digest('hex').slice(0, 12)}`;
  };
}
