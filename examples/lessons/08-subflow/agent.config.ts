import { defineConfig } from 'roomflow';

// Files are found from this one's folder.
export default defineConfig({ flows: { 'add-postage': 'add-postage.yaml' } });
