import { defineConfig } from 'roomflow';

// Paths are relative to this file.
export default defineConfig({ flows: { 'add-postage': 'add-postage.yaml' } });
