// Whose are the keys that somebody presses: the page's, or those of what has the focus?

type Target = { tagName: string; type?: string; isContentEditable?: boolean };

/// Of the things that somebody puts something into, those that letters and digits are nothing to.
const PRESSED = ['radio', 'checkbox', 'range', 'button', 'submit', 'reset', 'file', 'color', 'image'];

/// Is text typed into it? Then it undoes by itself what was typed.
export const takesText = (target: Target): boolean =>
  target.isContentEditable === true || target.tagName === 'TEXTAREA' || (target.tagName === 'INPUT' && !PRESSED.includes(target.type ?? 'text'));

/// Does a letter mean something to it? Among choices it goes to one that begins so.
export const takesLetters = (target: Target): boolean => takesText(target) || target.tagName === 'SELECT';
