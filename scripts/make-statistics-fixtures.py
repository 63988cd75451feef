#!/usr/bin/env python3
"""Writes Tests/MeasurementTests/Fixtures/statistics.json: what SciPy says of small samples.

Needs SciPy 1.13 or later; the tests read the committed file and do not. All sign patterns of short
samples are enumerated, and SciPy's own answers (exact, or by permutation where there are ties or
zeros) checked against that.
"""

import itertools
import json
import math
import pathlib
import random
import statistics

import numpy as np
from scipy import stats

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / "Tests/MeasurementTests/Fixtures/statistics.json"


def enumerated(differences, zeros):
    """Both one-sided p-values by walking all sign patterns."""
    values = [d for d in differences if zeros == "ranked" or d != 0]
    ranks = stats.rankdata([abs(d) for d in values]) if values else []
    pairs = [(d, r) for d, r in zip(values, ranks) if d != 0]
    observed = sum(r for d, r in pairs if d > 0)
    less = greater = 0
    for signs in itertools.product((0, 1), repeat=len(pairs)):
        w = sum(r for s, (_, r) in zip(signs, pairs) if s)
        less += w <= observed + 1e-9
        greater += w >= observed - 1e-9
    total = 2 ** len(pairs)
    return float(observed), less / total, greater / total


def signed_rank(differences):
    result = {"differences": differences}
    for zeros in ("ranked", "dropped"):
        observed, less, greater = enumerated(differences, zeros)
        if len({abs(d) for d in differences}) == len(differences) and 0 not in differences:
            for alternative, p in (("less", less), ("greater", greater)):
                scipy_p = stats.wilcoxon(
                    differences, alternative=alternative, method="exact").pvalue
                assert math.isclose(p, scipy_p, rel_tol=1e-12), (differences, p, scipy_p)
            two = stats.wilcoxon(differences, method="exact").pvalue
            assert math.isclose(min(1, 2 * min(less, greater)), two, rel_tol=1e-12)
        elif any(differences):
            method = stats.PermutationMethod(n_resamples=1 << 20)
            name = {"ranked": "pratt", "dropped": "wilcox"}[zeros]
            for alternative, p in (("less", less), ("greater", greater)):
                scipy_p = stats.wilcoxon(
                    differences, zero_method=name, alternative=alternative, method=method).pvalue
                assert math.isclose(p, scipy_p, rel_tol=1e-9), (differences, zeros, p, scipy_p)
        result[zeros] = {"statistic": observed, "less": less, "greater": greater}
    return result


def long_signed_rank(differences):
    """Too long to enumerate; no ties, so SciPy's own exact distribution answers."""
    answers = {
        alternative: stats.wilcoxon(differences, alternative=alternative, method="exact")
        for alternative in ("less", "greater")
    }
    positive = answers["greater"]
    answer = {
        "statistic": float(positive.statistic),
        "less": float(answers["less"].pvalue),
        "greater": float(positive.pvalue),
    }
    return {"differences": differences, "ranked": answer, "dropped": answer}


def median_interval(values):
    """SciPy's binomial test for the median, turned into an interval."""
    ordered = sorted(values)
    n = len(ordered)
    best = None
    for rank in range(1, n // 2 + 1):
        outside = 2 * stats.binom.cdf(rank - 1, n, 0.5)
        if outside <= 0.05:
            best = {
                "lower": ordered[rank - 1],
                "upper": ordered[n - rank],
                "coverage": float(1 - outside),
            }
    return {"values": values, "median": statistics.median(values), "interval": best}


def spread(values):
    return {
        "values": values,
        "relative": float(stats.iqr(values) / 2 / abs(np.median(values))),
        "mad": float(stats.median_abs_deviation(values)),
        "quartiles": [float(q) for q in np.quantile(values, [0.25, 0.5, 0.75])],
    }


def hodges_lehmann(values):
    walsh = [(a + b) / 2 for i, a in enumerate(values) for b in values[i:]]
    return {"values": values, "estimate": float(np.median(walsh))}


def holm(p_values):
    """By the definition of the step-down procedure: the smallest level that rejects each."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted = [0.0] * len(p_values)
    for place, index in enumerate(order):
        adjusted[index] = max(
            min(1, (len(p_values) - j) * p_values[order[j]]) for j in range(place + 1))
    return {"p": p_values, "adjusted": adjusted}


def main():
    rng = random.Random(20230901)

    def normals(n, shift=0.3):
        return [rng.gauss(shift, 1) for _ in range(n)]

    def coarse(n):
        return [float(rng.randint(-3, 4)) for _ in range(n)]

    fixtures = {
        "signedRank": [signed_rank(normals(n)) for n in (1, 2, 5, 6, 8, 9, 12)]
        + [signed_rank(coarse(n)) for n in (4, 6, 7, 9, 10, 12) for _ in range(3)]
        + [signed_rank([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), signed_rank([0.0, 0.0, 0.0]),
           signed_rank([0.0, 1.0, 1.0, -1.0, 2.0, 0.0, 3.0, 3.0])]
        + [long_signed_rank(normals(n, 0.2)) for n in (30, 50)],
        "medians": [median_interval(normals(n, 5)) for n in (1, 2, 5, 6, 7, 8, 9, 12, 15, 30, 101)],
        "spreads": [spread(normals(n, 10)) for n in (2, 3, 6, 9, 20)],
        "hodgesLehmann": [hodges_lehmann(normals(n)) for n in (1, 2, 5, 6, 11, 20)],
        "holm": [holm([rng.random() ** 3 for _ in range(n)]) for n in (1, 2, 6, 10)]
        + [holm([0.03, 0.03, 0.01]), holm([0.2, 0.9, 0.9])],
    }
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(json.dumps(fixtures, indent=1) + "\n")


if __name__ == "__main__":
    main()
