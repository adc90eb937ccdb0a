"""Makes figures.json anew: pip install -r requirements.txt && python make-figures.py > figures.json

Series without a pattern, with ties, with gaps and on a line, and what numpy, scipy and statsmodels say of them.
"""

import json
import math

import numpy
import scipy
import scipy.stats
import statsmodels
import statsmodels.api as sm


def draw(seed):
    """A small generator, so that a version of numpy changes no series."""
    state = seed
    while True:
        state = (state * 1103515245 + 12345) % 2**31
        yield state / 2**31


def series():
    dice = draw(7)
    xs = [round(next(dice) * 1000, 3) for _ in range(60)]
    noise = [next(dice) - 0.5 for _ in xs]
    ties = [math.floor(next(dice) * 6) for _ in xs]
    yield "noise", xs, [round(3.25 * x - 40 + 300 * e, 4) for x, e in zip(xs, noise)]
    yield "small noise", xs, [round(-0.5 * x + 7 + e / 1000, 7) for x, e in zip(xs, noise)]
    yield "ties", ties, [t * t + math.floor(next(dice) * 3) for t in ties]
    yield "unrelated", xs, [round(next(dice), 5) for _ in xs]
    yield "large", [1e6 + i for i in range(40)], [1e9 + 2.5 * i + (i % 7) for i in range(40)]
    yield "few", [1, 2, 4], [10, 30, 20]


def figures(name, xs, ys):
    fit = sm.OLS(numpy.array(ys, dtype=float), sm.add_constant(numpy.array(xs, dtype=float))).fit()
    low, middle, high = (float(q) for q in numpy.percentile(ys, [25, 50, 75], method="linear"))
    return {
        "name": name,
        "x": xs,
        "y": ys,
        "slope": float(fit.params[1]),
        "intercept": float(fit.params[0]),
        "r2": float(fit.rsquared),
        "stderr": math.sqrt(float(fit.mse_resid)),
        "pearson": float(scipy.stats.pearsonr(xs, ys).statistic),
        "spearman": float(scipy.stats.spearmanr(xs, ys).statistic),
        "quartiles": [low, middle, high],
    }


print(
    json.dumps(
        {
            "versions": {"numpy": numpy.__version__, "scipy": scipy.__version__, "statsmodels": statsmodels.__version__},
            "series": [figures(*one) for one in series()],
        },
        indent=1,
    )
)
