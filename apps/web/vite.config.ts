import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
export default defineConfig({ base: '/prod/user/', plugins: [react()], html: { cspNonce: '__CANDELA_NONCE__' }, build: { assetsDir: '' } });
