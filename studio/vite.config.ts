import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

// Names without hashes and nothing inlined: the server knows the files by name, and its content policy forbids inline code.
export default defineConfig({
  // All of it stands under a path that is another one for each studio.
  base: './',
  plugins: [svelte()],
  build: {
    outDir: '../crates/shoal-studio/bundle',
    emptyOutDir: true,
    target: 'es2022',
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rollupOptions: {
      output: { entryFileNames: 'app.js', assetFileNames: 'app[extname]', codeSplitting: false },
    },
  },
});
