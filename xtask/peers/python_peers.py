"""Times learners of Python packages: python python_peers.py PEER RUNS train.csv test.csv LEARNER

Prints a line of JSON with the keys that `bnc bench` prints. The last column is the class; categories become codes
while the files are loaded. The peers share the interface of scikit-learn: fit, then predict_proba. Of a peer's
settings the one that trains fastest is told.
"""

import functools
import json
import statistics
import sys
import time

import numpy
import pandas


def scikit_learn(learner, cardinalities):
    """Its version, and for each setting a function that makes a new learner."""
    import sklearn
    from sklearn.naive_bayes import CategoricalNB

    classifier = choose({"nb": CategoricalNB}, learner, "learner")
    return sklearn.__version__, [functools.partial(classifier, min_categories=cardinalities)]


def pyagrum(learner, _cardinalities):
    """Its version, and for each setting a function that makes a new learner."""
    import pyagrum
    from pyagrum.lib.discreteTypeProcessor import DiscreteTypeProcessor
    from pyagrum.skbn import BNClassifier

    method = choose({"nb": "NaiveBayes", "tan": "TAN"}, learner, "learner")

    def make(threads):
        pyagrum.setNumberOfThreads(threads)
        return BNClassifier(
            learningMethod=method,
            type_processor=DiscreteTypeProcessor("NoDiscretization", None),
            # Adds one to every count, as scikit-learn and bnc do for naive Bayes.
            prior="Smoothing",
            priorWeight=1,
        )

    # More threads take longer where another program keeps one of them waiting, or rows are few.
    numbers = sorted({1, pyagrum.getMaxNumberOfThreads()})
    return pyagrum.__version__, [functools.partial(make, threads) for threads in numbers]


PEERS = {"scikit-learn": scikit_learn, "pyAgrum": pyagrum}


def choose(known, name, kind):
    if name not in known:
        sys.exit(f"no {kind} '{name}'; there are {', '.join(known)}")
    return known[name]


def seconds(step):
    start = time.perf_counter()
    result = step()
    return time.perf_counter() - start, result


def load(file, columns=None):
    table = pandas.read_csv(file, dtype="category")
    codes = []
    for name in table:
        values = table[name]
        if columns is not None:
            values = values.cat.set_categories(columns[name])
        codes.append(values.cat.codes.to_numpy())
    columns = {name: table[name].cat.categories for name in table} if columns is None else columns
    # Whole columns of its own integers are what scikit-learn goes through fastest; pyAgrum takes as long with others.
    codes = numpy.asfortranarray(numpy.column_stack(codes), dtype=numpy.int64)
    return codes[:, :-1], codes[:, -1], columns


def measure(make, runs, train, test):
    """The medians of the seconds to train and to predict, and the accuracy."""
    train_s, predict_s = [], []
    for _ in range(runs):
        model = make()
        train_s.append(seconds(lambda: model.fit(*train))[0])
        took, posterior = seconds(lambda: model.predict_proba(test[0]))
        predict_s.append(took)
    accuracy = float((posterior.argmax(axis=1) == test[1]).mean())
    return statistics.median(train_s), statistics.median(predict_s), accuracy


def main():
    peer, runs, train_file, test_file, learner = sys.argv[1:]
    load_s, (rows, labels, columns) = seconds(lambda: load(train_file))
    test_rows, test_labels, _ = load(test_file, columns)
    cardinalities = [len(values) for values in columns.values()][:-1]
    version, makers = choose(PEERS, peer, "peer")(learner, cardinalities)
    timings = [measure(make, int(runs), (rows, labels), (test_rows, test_labels)) for make in makers]
    train_s, predict_s, accuracy = min(timings)
    print(
        json.dumps(
            {
                "program": peer,
                "version": version,
                "learner": learner,
                "load_s": load_s,
                "train_s": train_s,
                "predict_s": predict_s,
                "accuracy": accuracy,
            }
        )
    )


main()
