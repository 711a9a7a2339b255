// Times WEKA's learners: java -cp weka.jar Weka.java RUNS train.arff test.arff LEARNER...
// Prints a line of JSON for each learner, with the keys that `bnc bench` prints.

import java.io.BufferedReader;
import java.io.FileReader;
import java.util.Arrays;
import java.util.Locale;
import weka.classifiers.Classifier;
import weka.classifiers.bayes.AODE;
import weka.classifiers.bayes.BayesNet;
import weka.classifiers.bayes.NaiveBayes;
import weka.classifiers.bayes.WAODE;
import weka.classifiers.bayes.net.search.local.TAN;
import weka.core.Instances;

public class Weka {
    interface Step {
        void run() throws Exception;
    }

    static double seconds(Step step) throws Exception {
        long start = System.nanoTime();
        step.run();
        return (System.nanoTime() - start) / 1e9;
    }

    static double median(double[] all) {
        double[] sorted = all.clone();
        Arrays.sort(sorted);
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    static Instances read(String file) throws Exception {
        Instances data = new Instances(new BufferedReader(new FileReader(file)));
        data.setClassIndex(data.numAttributes() - 1);
        return data;
    }

    static Classifier learner(String name) {
        switch (name) {
            case "nb":
                return new NaiveBayes();
            case "aode":
                return new AODE();
            case "waode":
                return new WAODE();
            case "tan":
                BayesNet net = new BayesNet();
                net.setUseADTree(false);
                net.setSearchAlgorithm(new TAN());
                return net;
            default:
                throw new IllegalArgumentException("no learner '" + name + "'; there are nb, aode, waode, tan");
        }
    }

    public static void main(String[] arguments) throws Exception {
        int runs = Integer.parseInt(arguments[0]);
        Instances[] sets = new Instances[2];
        double load = seconds(() -> sets[0] = read(arguments[1]));
        sets[1] = read(arguments[2]);
        for (String name : Arrays.asList(arguments).subList(3, arguments.length)) {
            double[] train = new double[runs];
            double[] predict = new double[runs];
            int[] right = new int[1];
            for (int run = 0; run < runs; run++) {
                Classifier classifier = learner(name);
                train[run] = seconds(() -> classifier.buildClassifier(sets[0]));
                right[0] = 0;
                predict[run] = seconds(() -> {
                    for (int row = 0; row < sets[1].numInstances(); row++) {
                        double[] posterior = classifier.distributionForInstance(sets[1].instance(row));
                        int best = 0;
                        for (int label = 1; label < posterior.length; label++) {
                            best = posterior[label] > posterior[best] ? label : best;
                        }
                        right[0] += best == (int) sets[1].instance(row).classValue() ? 1 : 0;
                    }
                });
            }
            System.out.printf(
                Locale.ROOT,
                "{\"program\":\"WEKA\",\"version\":\"%s\",\"learner\":\"%s\",\"load_s\":%f,\"train_s\":%f,"
                    + "\"predict_s\":%f,\"accuracy\":%f}%n",
                weka.core.Version.VERSION, name, load, median(train), median(predict),
                (double) right[0] / sets[1].numInstances());
        }
    }
}
