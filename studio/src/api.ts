// How does the page ask the server?

import type { Problem } from './wire';

/// What went wrong, in the words of the server.
export class Refused extends Error {
  constructor(
    readonly problem: Problem,
    readonly status: number,
  ) {
    super(problem.text);
  }
}

async function answered<T>(response: Response): Promise<T> {
  if (response.ok) return (await response.json()) as T;
  let problem: Problem = { kind: 'request', text: `the studio answered with ${response.status}`, details: [], hint: null };
  try {
    problem = (await response.json()) as Problem;
  } catch {
    // The words above have to do.
  }
  throw new Refused(problem, response.status);
}

const unanswered = () => new Refused({ kind: 'place', text: 'the studio does not answer', details: [], hint: 'is it still running in its terminal?' }, 0);

async function reached(path: string, options: RequestInit): Promise<Response> {
  try {
    return await fetch(path, options);
  } catch {
    throw unanswered();
  }
}

export type Question = Record<string, string | number | boolean | null | undefined>;

export async function ask<T>(path: string, question: Question = {}): Promise<T> {
  const words = new URLSearchParams();
  for (const [key, value] of Object.entries(question)) {
    if (value !== null && value !== undefined) words.set(key, String(value));
  }
  const query = words.toString();
  return answered<T>(await reached(`api/${path}${query ? `?${query}` : ''}`, { credentials: 'same-origin' }));
}

export async function send<T>(path: string, body?: unknown): Promise<T> {
  return answered<T>(
    await reached(`api/${path}`, {
      method: 'POST',
      credentials: 'same-origin',
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    }),
  );
}

/// Sends a file, and says how much of it has been sent. `fetch` does not tell.
export function upload<T>(file: File, told: (share: number) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `api/upload?${new URLSearchParams({ name: file.name })}`);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.upload.onprogress = (event) => told(event.total ? event.loaded / event.total : 0);
    request.onload = () => answered<T>(new Response(request.responseText, { status: request.status })).then(resolve, reject);
    request.onerror = () => reject(unanswered());
    request.send(file);
  });
}
