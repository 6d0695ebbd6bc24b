import { createHmac, randomBytes } from 'node:crypto';

/**
 * Names for telephone numbers, by which lines of one call are found together and the number is not: the same in every
 * process that has the key of the LiveKit server. Without that key they last as long as the process.
 */
export function telephoneNames(env: NodeJS.ProcessEnv): (telephone: string) => string {
  const secret = env['LIVEKIT_API_SECRET'] ?? '';
  const key = secret === '' ? randomBytes(32) : secret;
  return (telephone) => {
    const digits = telephone.replaceAll(/\D/g, '');
    return `tel-${createHmac('sha256', key).update(digits).digest('hex').slice(0, 12)}`;
  };
}
