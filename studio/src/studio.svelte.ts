// What does the page know, and how does it stay true?

import { ask, Refused, send, upload } from './api';
import { hear, type Heard } from './events';
import type { Advised, Candidate, Definitions, Desk, Edit, Explored, Neighbourhood, Page, Problem, Published, Solutions, Work, WorkKind } from './wire';

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
  /// Is the policy shown as text? Beside it, a room needs room.
  policyIsOpen = $state(window.innerWidth >= 1600);
  /// Is another file to be chosen, with one open?
  isChoosing = $state(false);
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
    this.everything();
    hear((heard) => this.heard(heard));
  }

  private heard(heard: Heard) {
    if ('connected' in heard) {
      this.isConnected = heard.connected;
      if (heard.connected) this.everything();
      else void this.refresh();
    } else if (heard.event.event === 'desk') {
      if (heard.event.revision !== this.desk?.revision) void this.refresh();
    } else if (heard.event.event === 'work') {
      void this.look(heard.event.kind);
    } else {
      this.everything();
    }
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
      this.problem = this.refused(error) ?? this.problem;
      return null;
    }
  }

  /// What the studio says is wrong; nothing where it could not be asked.
  private refused(error: unknown): Problem | null {
    if (!(error instanceof Refused)) throw error;
    if (error.status === 401) this.isLockedOut = true;
    else if (error.status === 0) this.isConnected = false;
    else return error.problem;
    return null;
  }

  /// A key gets the value that somebody typed, or none; otherwise what is wrong with it, to be said beside the field.
  async field(key: string, value: string | null, said: string): Promise<string | null> {
    this.problem = null;
    try {
      this.take(await send<Desk>('edit', { change: 'field', key, value } satisfies Edit));
      this.said = said;
      return null;
    } catch (error) {
      const problem = this.refused(error);
      return problem ? besideField(problem) : 'the studio does not answer';
    }
  }

  /// The whole text is another. Does the policy say something else by now than whoever typed has seen?
  async write(text: string, before: string | null): Promise<'taken' | 'changed' | 'refused'> {
    this.problem = null;
    try {
      this.take(await send<Desk>('edit', { change: 'text', text, before } satisfies Edit));
      return 'taken';
    } catch (error) {
      const problem = this.refused(error);
      if (problem?.kind === 'changed') {
        await this.refresh();
        return 'changed';
      }
      this.problem = problem ?? this.problem;
      return 'refused';
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
    if (desk) this.opened(desk);
  }

  /// A file is being opened, or is open: what is open stays until it can be read.
  private opened(desk: Desk) {
    this.kept = null;
    this.desk = desk;
    this.opening = { ...idle, status: 'running' };
    void this.look('open');
    this.isChoosing = false;
    this.go('table');
  }

  /// Says no more of what could not be opened.
  forgetOpening() {
    this.opening = { ...idle };
  }

  /// Puts a file into the folder of the studio, and opens it.
  async upload(file: File) {
    this.problem = null;
    this.sent = 0;
    const desk = await this.attempt(() => upload<Desk>(file, (share) => (this.sent = share)));
    this.sent = null;
    if (desk) {
      this.opened(desk);
      this.said = `${file.name} is in the folder`;
    }
  }

  go(room: Room) {
    this.room = room;
    this.isChoosing = false;
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
    const worked = (work: Work<unknown>, isGood = true) => (work.is_stale ? 'open' : work.status === 'done' ? (isGood ? 'done' : 'attention') : work.status === 'failed' ? 'attention' : 'open');
    const keeps = (promises: { holds: boolean }[] | undefined) => promises?.every((promise) => promise.holds) ?? false;
    switch (room) {
      case 'table':
        if (desk.table_problem || (desk.table && (desk.columns.some((column) => !column.role) || this.quasi().length === 0))) return 'attention';
        return desk.table && this.opening.status !== 'running' ? 'done' : 'open';
      case 'hierarchies':
        if (this.quasi().some((column) => !column.hierarchy)) return 'attention';
        // Whatever is wrong with the policy may be wrong with one of them.
        return this.quasi().length === 0 || desk.problem ? 'open' : 'done';
      case 'promise':
        return desk.problem || desk.requirements.length === 0 ? 'attention' : 'done';
      case 'explore':
        return worked(this.explore, this.explore.result?.points.some((point) => point.loss !== null));
      case 'after':
        return worked(this.candidate, keeps(this.candidate.result?.promises));
      case 'publish':
        return worked(this.publish, keeps(this.publish.result?.promises));
    }
  }
}

const about = (desk: Desk | null) => `${desk?.table?.reading ?? ''}\u0000${desk?.text ?? ''}`;

/// Which file and which line it is does not have to be said beside the field.
const besideField = ({ text, hint }: Problem): string => text.replace(/^[^:]*, line \d+: /, '') + (hint ? ` (${hint})` : '');

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
