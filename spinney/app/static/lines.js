// Moves that were tried: a tree of positions, of which one is shown.

export class Lines {
  /** The frames of a stored game are the main line; without one, it is the position that the analysis began with. */
  constructor(frames) {
    this.game = Array.from({ length: frames || 1 }, (_, frame) => ({ frame, steps: [], tries: [], kept: null, parent: null }));
    this.game.forEach((node, frame) => { node.parent = this.game[frame - 1] || null; });
    this.at = this.game[0];
  }

  /** The position after a step from one; the same for the same step. */
  after(node, step) {
    const known = node.tries.find(it => it.steps.at(-1).join() === step.join());
    const child = known || { frame: node.frame, steps: [...node.steps, step], tries: [], kept: null, parent: node };
    if (!known) node.tries.push(child);
    node.kept = child;
    return child;
  }

  isGame(node) { return !node.steps.length; }

  /** What comes next: what was tried last; in the game, its next frame unless a try from here is shown. */
  next(node) {
    return this.isGame(node) && this.game.length > 1 ? this.game[node.frame + 1] || node.kept : node.kept;
  }

  /** Where the tries left the game. */
  origin(node) { return this.game[node.frame]; }

  /** The tries from the game to a position, and on from there. */
  branch(node) {
    const found = [];
    for (let it = node; it.steps.length; it = it.parent) found.unshift(it);
    for (let it = found.at(-1) || (this.game.length > 1 ? null : this.game[0]); it && it.kept; it = it.kept) found.push(it.kept);
    return found;
  }

  /** The other tries from the position before this one, of which one may be shown instead. */
  beside(node, by) {
    const all = node.parent && node.steps.length ? node.parent.tries : [node];
    return all[(all.indexOf(node) + by + all.length) % all.length];
  }

  /** A position is shown; going forward leads to it again. */
  show(node) {
    this.at = node;
    for (let it = node; it.steps.length; it = it.parent) it.parent.kept = it;
  }
}
