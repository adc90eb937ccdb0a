// The script of the reference page: the box that filters. It is part of the page, whose policy allows this text and no
// other script. Without scripts the box stays hidden and the page shows everything.

export const SCRIPT = `
(() => {
  const box = document.getElementById('filter');
  const entries = [...document.querySelectorAll('article')].map((article) => ({
    article,
    text: article.textContent.toLowerCase(),
    rows: [...article.querySelectorAll('tbody tr')].map((row) => ({ row, text: row.textContent.toLowerCase() })),
    links: [...document.querySelectorAll('nav a[href="#' + article.id + '"]')].map((link) => link.parentElement),
    isTable: article.classList.contains('rows'),
  }));
  const sections = [...document.querySelectorAll('main section')];
  const none = document.getElementById('none');
  const filter = () => {
    const words = box.value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
    const matches = ({ text }) => words.every((word) => text.includes(word));
    for (const { article, links, rows, isTable, ...entry } of entries) {
      article.hidden = !matches(entry);
      for (const item of links) item.hidden = article.hidden;
      const shown = rows.filter(matches);
      for (const one of rows) one.row.hidden = isTable && shown.length > 0 && !shown.includes(one);
    }
    for (const section of sections) {
      section.hidden = words.length > 0 && ![...section.querySelectorAll('article')].some(({ hidden }) => !hidden);
    }
    none.hidden = entries.some(({ article }) => !article.hidden);
  };
  box.addEventListener('input', filter);
  box.hidden = false;
  filter();
})();
`;
