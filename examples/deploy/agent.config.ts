import { createHash, timingSafeEqual } from 'node:crypto';
import { defineConfig } from 'roomflow';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const metricsToken = process.env['METRICS_TOKEN'] ?? '';

export default defineConfig({
  flows: { 'opening-hours': 'flow.yaml' },
  worker: {
    agentName: 'bike-shop',
    healthHost: '0.0.0.0', // probes come from outside of the container
    drainTimeoutMs: 60_000, // stop_grace_period in compose.yaml is this, and 20 seconds more
    onEnd: 'delete-room',
  },
  // Prometheus reaches the server of each container by the name of its service.
  http: { host: '0.0.0.0', hosts: ['serve', 'worker'] },
  resolveActor: ({ bearer }) => {
    const isPrometheus =
      bearer !== null && metricsToken !== '' && timingSafeEqual(digest(bearer), digest(metricsToken));
    return isPrometheus ? { id: 'prometheus' } : null;
  },
  can: (actor, action) => actor.id === 'prometheus' && action === 'metrics:read',
});
