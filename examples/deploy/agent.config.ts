import { defineConfig } from 'roomflow';

export default defineConfig({
  flows: { 'opening-hours': 'flow.yaml' },
  worker: {
    agentName: 'bike-shop',
    healthHost: '0.0.0.0', // probes come from outside of the container
    drainTimeoutMs: 60_000, // stop_grace_period in compose.yaml is this, and 20 seconds more
    onEnd: 'delete-room',
  },
});
