import { createHash, timingSafeEqual } from 'node:crypto';
import { defineConfig } from 'roomflow';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const metricsToken = process.env['METRICS_TOKEN'] ?? '';

export default defineConfig({
  flows: { 'opening-hours': 'flow.yaml' },
  worker: {
    agentName: 'bike-shop',
    healthHost: '0.0.0.0', // probes come from outside the container
    drainTimeoutMs: 60_000, // stop_grace_period in compose.yaml is 20 seconds longer
    onEnd: 'delete-room',
  },
  // Prometheus reaches each container under the name of its service.
  http: { host: '0.0.0.0', hosts: ['serve', 'worker'] },
  resolveActor: ({ bearer }) => {
    const isPrometheus =
      bearer !== null && metricsToken !== '' && timingSafeEqual(digest(bearer), digest(metricsToken));
    return isPrometheus ? { id: 'prometheus' } : null;
  },
  can: (actor, action) => actor.id === 'prometheus' && action === 'metrics:read',
});
