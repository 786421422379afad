// Of several answers to a question that is asked again with every change, which one counts?

/// The one to the last that was asked: whatever is undone and done again meanwhile, an earlier one may be about another policy.
export class LastAnswer<T> {
  private asked = 0;

  ask(question: Promise<T>, taken: (answer: T) => void, refused: (error: unknown) => void = () => {}): void {
    const asked = ++this.asked;
    question.then(
      (answer) => asked === this.asked && taken(answer),
      (error: unknown) => asked === this.asked && refused(error),
    );
  }

  /// Nobody waits for an answer any more.
  forget(): void {
    this.asked++;
  }
}
