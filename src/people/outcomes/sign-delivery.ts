import { createHash, createHmac } from 'node:crypto';
import { FlowError } from '../../model/errors.ts';

/** The variables of an environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

const prefix = 'whsec_';
const shortestBytes = 24;

/**
 * Returns the key of the secret in an environment variable. A secret that begins with `whsec_` is Base64. Throws
 * `config-invalid` if it is missing or shorter than 24 bytes.
 */
export function deliveryKey(env: Environment, name: string): Buffer {
  const secret = env[name] ?? '';
  if (secret === '')
    throw new FlowError('config-invalid', `outcomes.secret: the environment variable ${name} is not set. Set it.`);
  const key = secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64') : Buffer.from(secret);
  if (key.length < shortestBytes)
    throw new FlowError(
      'config-invalid',
      `outcomes.secret: the secret in ${name} is shorter than ${shortestBytes} bytes. Use a random one.`,
    );
  return key;
}

/** Returns the headers of a delivery, signed as Standard Webhooks specifies: HMAC-SHA-256 of id, time and body. */
export function deliveryHeaders(key: Buffer, id: string, atMs: number, body: string): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(atMs / 1_000));
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
    'idempotency-key': id,
  };
}

/** Returns the id of all deliveries of one outcome. It does not show the session's id, which may be a telephone number. */
export function deliveryId(entryKey: string): string {
  return `out_${createHash('sha256').update(entryKey).digest('hex').slice(0, 32)}`;
}
