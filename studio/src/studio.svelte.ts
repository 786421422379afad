// What does the page know, and how does it stay true?

import { ask, Refused, send, upload } from './api';
import type { Advised, Candidate, Definitions, Desk, Edit, Event, Explored, Neighbourhood, Page, Problem, Published, Solutions, Work, WorkKind } from './wire';

export type Room = 'table' | 'hierarchies' | 'promise' | 'explore' | 'after' | 'publish';

export const rooms: { id: Room; title: string; about: string }[] = [
  { id: 'table', title: 'Table', about: 'What is in it, and what could identify someone' },
  { id: 'hierarchies', title: 'Hierarchies', about: 'What values may become' },
  { id: 'promise', title: 'Promise', about: 'What nobody may learn' },
  { id: 'explore', title: 'Explore', about: 'What it costs, and what else there is' },
  { id: 'after', title: 'Before and after', about: 'What the release would be' },
  { id: 'publish', title: 'Publish', about: 'Write it, verified' },
];

const idle = { status: 'idle', stage: null, done: 0, of: null, result: null, problem: null, is_stale: false } as const;

class Studio {
  desk = $state<Desk | null>(null);
  room = $state<Room>('table');
  problem = $state<Problem | null>(null);
  /// Does the server know this page no more?
  isLockedOut = $state(false);
  isConnected = $state(true);
  policyIsOpen = $state(window.innerWidth >= 1280);
  page = $state<Page | null>(null);
  definitions = $state<Definitions | null>(null);

  opening = $state<Work<null>>({ ...idle });
  explore = $state<Work<Explored>>({ ...idle });
  advise = $state<Work<Advised>>({ ...idle });
  solutions = $state<Work<Solutions>>({ ...idle });
  around = $state<Work<Neighbourhood>>({ ...idle });
  candidate = $state<Work<Candidate>>({ ...idle });
  publish = $state<Work<Published>>({ ...idle });

  /// A release to compare others with, as long as the page is open.
  kept = $state<Candidate | null>(null);
  /// How much of a dropped file has been sent, from 0 to 1.
  sent = $state<number | null>(null);

  /// Says it in the page, for those who hear it, too.
  said = $state('');

  start() {
    const named = location.hash.slice(1);
    if (rooms.some((room) => room.id === named)) this.room = named as Room;
    window.addEventListener('hashchange', () => {
      const room = rooms.find((room) => room.id === location.hash.slice(1));
      if (room) this.room = room.id;
    });
    // What there is to see comes first, what happens after it.
    void this.refresh();
    this.listen();
  }

  private listen() {
    const events = new EventSource('/api/events');
    events.onopen = () => {
      this.isConnected = true;
      this.everything();
    };
    events.onmessage = (message) => {
      const event = JSON.parse(message.data as string) as Event;
      if (event.event === 'desk') {
        if (event.revision !== this.desk?.revision) void this.refresh();
      } else if (event.event === 'work') {
        void this.look(event.kind);
      } else {
        this.everything();
      }
    };
    events.onerror = () => {
      this.isConnected = false;
      events.close();
      void this.refresh();
      setTimeout(() => this.listen(), 1500);
    };
  }

  private everything() {
    void this.refresh();
    if (!this.definitions) void this.attempt(() => ask<Definitions>('definitions')).then((found) => (this.definitions ??= found));
    for (const kind of ['open', 'explore', 'advise', 'solutions', 'around', 'candidate', 'publish'] as const) void this.look(kind);
  }

  /// Does something, and shows what goes wrong.
  async attempt<T>(act: () => Promise<T>): Promise<T | null> {
    try {
      const result = await act();
      this.isConnected = true;
      return result;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.status === 401) this.isLockedOut = true;
      else if (error.status === 0) this.isConnected = false;
      else this.problem = error.problem;
      return null;
    }
  }

  async refresh() {
    const desk = await this.attempt(() => ask<Desk>('desk'));
    if (desk) {
      this.take(desk);
      this.isLockedOut = false;
    }
  }

  private take(desk: Desk) {
    // An answer that was overtaken by another is no news.
    if (this.desk && desk.revision < this.desk.revision && desk.folder === this.desk.folder && desk.file === this.desk.file) return;
    const isAnother = about(desk) !== this.about;
    this.desk = desk;
    if (isAnother) for (const kind of ['explore', 'advise', 'solutions', 'around', 'candidate', 'publish'] as const) void this.look(kind);
  }

  private async look(kind: WorkKind) {
    const place = kind === 'open' ? 'opening' : kind;
    const work = await this.attempt(() => ask<Work<never>>(`work/${kind}`));
    if (!work) return;
    const before = this[place].status;
    this[place] = work;
    if (before === 'running' && work.status === 'done' && kind !== 'open') this.said = `${words[kind]}: done`;
    if (before === 'running' && work.status === 'failed') this.said = work.problem?.text ?? '';
  }

  async begin(kind: Exclude<WorkKind, 'open'>, body?: unknown) {
    this.problem = null;
    this[kind] = { ...idle, status: 'running' };
    await this.attempt(() => send(`work/${kind}`, body));
  }

  async stop(kind: Exclude<WorkKind, 'open'>) {
    await this.attempt(() => send(`stop/${kind}`));
  }

  async edit(edit: Edit, said = ''): Promise<boolean> {
    this.problem = null;
    const desk = await this.attempt(() => send<Desk>('edit', edit));
    if (desk) {
      this.take(desk);
      this.said = said;
    }
    return desk !== null;
  }

  async undo() {
    const desk = await this.attempt(() => send<Desk>('undo'));
    if (desk) this.take(desk);
    this.said = 'undone';
  }

  async redo() {
    const desk = await this.attempt(() => send<Desk>('redo'));
    if (desk) this.take(desk);
    this.said = 'done again';
  }

  async open(path: string) {
    this.problem = null;
    const desk = await this.attempt(() => send<Desk>('open', { path }));
    if (desk) {
      this.kept = null;
      this.desk = desk;
      this.go('table');
    }
  }

  /// Puts a file into the folder of the studio, and opens it.
  async upload(file: File) {
    this.problem = null;
    this.sent = 0;
    const desk = await this.attempt(() => upload<Desk>(file, (share) => (this.sent = share)));
    this.sent = null;
    if (desk) {
      this.kept = null;
      this.desk = desk;
      this.go('table');
      this.said = `${file.name} is in the folder`;
    }
  }

  go(room: Room) {
    this.room = room;
    this.problem = null;
    history.replaceState(null, '', `#${room}`);
  }

  private explained = 0;
  async explain(id: string) {
    // Of several that were asked for, the last is shown.
    const asked = ++this.explained;
    const page = await this.attempt(() => ask<Page>('explain', { id }));
    if (asked === this.explained) this.page = page;
  }

  /// What answers are about: once it is another, they are to be asked for again.
  get about(): string {
    return about(this.desk);
  }

  quasi() {
    return this.desk?.columns.filter((column) => column.role === 'quasi-identifier') ?? [];
  }

  sensitive() {
    return this.desk?.columns.filter((column) => column.role === 'sensitive') ?? [];
  }

  /// How a room stands: done, in need of somebody, or neither.
  state(room: Room): 'done' | 'attention' | 'open' {
    const desk = this.desk;
    if (!desk?.file) return 'open';
    const worked = (work: Work<unknown>) => (work.status === 'done' && !work.is_stale ? 'done' : work.status === 'failed' && !work.is_stale ? 'attention' : 'open');
    switch (room) {
      case 'table':
        if (desk.table_problem || (desk.table && desk.columns.some((column) => !column.role))) return 'attention';
        return desk.table && this.quasi().length > 0 ? 'done' : desk.table ? 'attention' : 'open';
      case 'hierarchies':
        return this.quasi().length === 0 ? 'open' : this.quasi().every((column) => column.hierarchy) ? 'done' : 'attention';
      case 'promise':
        return desk.problem ? 'attention' : desk.requirements.length > 0 ? 'done' : 'attention';
      case 'explore':
        return this.explore.status === 'done' && !this.explore.is_stale ? 'done' : 'open';
      case 'after':
        return worked(this.candidate);
      case 'publish':
        return worked(this.publish);
    }
  }
}

const about = (desk: Desk | null) => `${desk?.table?.reading ?? ''}\u0000${desk?.text ?? ''}`;

const words: Record<WorkKind, string> = {
  open: 'table',
  explore: 'frontier',
  advise: 'advice',
  solutions: 'minimal combinations',
  around: 'the lattice',
  candidate: 'release',
  publish: 'publishing',
};

export const studio = new Studio();
