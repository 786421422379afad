// How do all pages of a studio hear what happens over one connection?
//
// A browser opens six connections to a server at most, and a stream of events keeps one for ever: with seven pages open, nobody would be
// answered any more. So one page listens, whichever holds a lock, and tells the others; when it is closed, the next one has the lock.

import type { Event } from './wire';

export type Heard = { event: Event } | { connected: boolean };

/// So long a page waits before it tries to reach a studio again that did not answer.
const PATIENCE = 1500;

export function hear(told: (heard: Heard) => void): void {
  // Browsers keep both from pages that they do not trust.
  if (!('locks' in navigator) || !('BroadcastChannel' in window)) return listen(told);
  const name = `shoal ${location.pathname}`;
  const channel = new BroadcastChannel(name);
  channel.onmessage = (message) => told(message.data as Heard);
  void navigator.locks.request(name, () => {
    listen((heard) => {
      told(heard);
      channel.postMessage(heard);
    });
    // Held as long as the page is there.
    return new Promise<never>(() => {});
  });
}

function listen(told: (heard: Heard) => void): void {
  const events = new EventSource('api/events');
  events.onopen = () => told({ connected: true });
  events.onmessage = (message) => told({ event: JSON.parse(message.data as string) as Event });
  events.onerror = () => {
    events.close();
    told({ connected: false });
    setTimeout(() => listen(told), PATIENCE);
  };
}
