// How far agents are that are being compiled.

/** In words, from what is compiled, the seconds so far, and those that it took the last time. */
export const progress = parts => [...new Set(parts.map(([label, spent, estimate]) =>
  spent > estimate ? `${label}, a little longer than expected` : `${label}, ${Math.round(spent)} of about ${Math.ceil(estimate)} s`))].join("; ");

/** As a part of the whole. */
export const share = parts => Math.max(0, ...parts.map(([, spent, estimate]) => Math.min(0.97, spent / estimate)));
